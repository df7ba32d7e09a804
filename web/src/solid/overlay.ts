// What is drawn over the table in pixels of the page: name plates, and the hand that is held nearest.

import { Group, Mesh, MeshBasicMaterial, OrthographicCamera, PlaneGeometry, Scene as Space, type Texture } from "three";

import type { Part, Tint } from "../wire.gen";
import { type CardKit, TALL, WIDE } from "./cards";
import { type Brush, painted } from "./faces";
import type { Rim } from "./pieces";
import { apart, type Box, drawn, type Plate } from "./plates";
import { fan } from "./ring";
import type { Target } from "./targets";

interface Shown extends Box {
  key: string;
  mesh: Mesh<PlaneGeometry, MeshBasicMaterial>;
}

interface Held extends Target {
  angle: number;
  width: number;
  height: number;
}

/** A point of the screen and on which side of it a plate stands: `right` and `up` are 1, 0 or -1. */
export interface Anchor {
  x: number;
  y: number;
  right: number;
  up: number;
}

/** How finely plates are painted: sharp on most screens. */
const FINE = 2;

export class Overlay {
  readonly space = new Space();
  readonly camera = new OrthographicCamera(0, 1, 1, 0, -10, 10);
  /** How many pixels at the lower edge the hand takes. */
  handHeight = 0;
  held: Held[] = [];
  readonly #plates = new Map<string, Shown>();
  readonly #square = new PlaneGeometry(1, 1);
  readonly #brush: Brush;
  #hand = new Group();
  #width = 1;
  #height = 1;

  constructor() {
    this.#brush = document.createElement("canvas").getContext("2d")!;
    this.space.add(this.#hand);
  }

  resize(width: number, height: number): void {
    [this.#width, this.#height] = [width, height];
    Object.assign(this.camera, { right: width, top: height });
    this.camera.updateProjectionMatrix();
  }

  /** Paints those plates anew that have changed, and takes away those that are no more. */
  setPlates(plates: ReadonlyMap<string, Plate>, isDark: boolean): void {
    const isSmall = Math.min(this.#width, this.#height) < 480;
    const small = this.#width < 480 ? { size: 12, most: 96 } : { size: 11, most: 112 };
    const type = isSmall ? small : { size: 14.5, most: 190 };
    for (const [id, shown] of this.#plates) if (!plates.has(id)) this.#drop(id, shown);
    for (const [id, plate] of plates) {
      const key = JSON.stringify([plate, type, isDark]);
      const old = this.#plates.get(id);
      if (old?.key === key) continue;
      if (old) this.#drop(id, old);
      const { width, height, paint } = drawn(this.#brush, plate, type, isDark);
      const picture = painted(width * FINE, height * FINE, (brush) => {
        brush.scale(FINE, FINE);
        paint(brush);
      });
      const mesh = new Mesh(this.#square, new MeshBasicMaterial({ map: picture, transparent: true, depthTest: false }));
      mesh.scale.set(Math.ceil(width * FINE) / FINE, Math.ceil(height * FINE) / FINE, 1);
      mesh.renderOrder = plate.acts ? 2 : 1;
      this.space.add(mesh);
      this.#plates.set(id, { key, mesh, x: 0, y: 0, width, height });
    }
  }

  /** Puts every plate at the point of the screen that `anchor` says, as far as there is room. */
  placePlates(anchor: (id: string) => Anchor | null): void {
    const boxes: Shown[] = [];
    for (const [id, shown] of this.#plates) {
      const at = anchor(id);
      shown.mesh.visible = at !== null;
      if (!at) continue;
      [shown.x, shown.y] = [at.x + (at.right * shown.width) / 2, at.y - (at.up * shown.height) / 2];
      boxes.push(shown);
    }
    apart(boxes, { width: this.#width, height: this.#height - this.handHeight });
    for (const { mesh, x, y, width, height } of boxes) {
      // On whole pixels writing stays sharp.
      mesh.position.set(Math.round(x - width / 2) + mesh.scale.x / 2, this.#height - Math.round(y - height / 2) - mesh.scale.y / 2, 0);
    }
  }

  /** How high a card of the hand is, in pixels. */
  get cardHeight(): number {
    return Math.min(Math.max(this.#height * 0.18, 66), 124);
  }

  /** Holds the cards of a part in a fan at the lower edge; null: nothing is held. */
  setHand(part: Part | null, kit: CardKit, tints: ReadonlyMap<string, Tint>, rimOf: (spot: string) => Rim): void {
    this.space.remove(this.#hand);
    this.#hand = new Group();
    this.space.add(this.#hand);
    this.held = [];
    const pieces = part?.pieces ?? [];
    const tall = this.cardHeight;
    const wide = (tall * WIDE) / TALL;
    this.handHeight = pieces.length ? Math.round(tall * 0.86) : 0;
    const spread = fan(pieces.length, wide * 0.82, Math.min(this.#width - 20, 760) - wide);
    const half = Math.max(1, Math.abs(spread[0] ?? 1));
    pieces.forEach((piece, i) => {
      const x = this.#width / 2 + spread[i]!;
      const share = spread[i]! / half;
      const bend = Math.min(0.035 * (pieces.length - 1), 0.16);
      const rim = rimOf(piece.spot);
      const lifted = rim === "picked" ? tall * 0.2 : 0;
      const up = tall * 0.36 - share * share * tall * 0.09 + lifted;
      const angle = -share * bend;
      const add = (material: MeshBasicMaterial, out: number, order: number) => {
        const mesh = new Mesh(kit.shape, material);
        mesh.position.set(x, up, 0);
        mesh.rotation.z = angle;
        mesh.scale.set((wide + out) / WIDE, (tall + out) / TALL, 1);
        mesh.renderOrder = 10 + 2 * i + order;
        this.#hand.add(mesh);
      };
      if (rim !== "none") add(kit.rim(rim), rim === "next" ? 5 : 8, 0);
      add(kit.flat(kit.picture(piece, tints.get(piece.tint ?? ""))), 0, 1);
      this.held.push({ spot: piece.spot, x, y: this.#height - up, angle, width: wide, height: tall });
    });
  }

  /** The card of the hand under a point, the uppermost first. */
  hit(x: number, y: number): string | null {
    for (const card of this.held.toReversed()) {
      const [dx, dy] = [x - card.x, y - card.y];
      const [cos, sin] = [Math.cos(card.angle), Math.sin(card.angle)];
      const [across, down] = [dx * cos - dy * sin, dx * sin + dy * cos];
      if (Math.abs(across) <= card.width / 2 && Math.abs(down) <= card.height / 2) return card.spot;
    }
    return null;
  }

  #drop(id: string, { mesh }: Shown): void {
    mesh.removeFromParent();
    (mesh.material.map as Texture).dispose();
    mesh.material.dispose();
    this.#plates.delete(id);
  }

  dispose(): void {
    for (const [id, shown] of this.#plates) this.#drop(id, shown);
    this.#square.dispose();
  }
}
