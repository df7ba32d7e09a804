// A piece in space: its body, the shadow where it touches the table, and the rim that says what may be done with it.

import {
  BackSide,
  type BufferGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  type PerspectiveCamera,
  Quaternion,
  type Texture,
  Vector3,
} from "three";

import type { Piece, Solid, Tint } from "../wire.gen";
import { type Face, skin, softSpot, UNKNOWN } from "./faces";
import { poseOf } from "./ring";
import { hollowCone, hull } from "./shapes";

/** What a rim says; two things never share one. */
export type Rim = "none" | "next" | "picked" | "hinted";
const LIFT = 9;

/** Geometry and skins that all pieces of a table share. */
export class PieceKit {
  readonly body: BufferGeometry;
  readonly hull: BufferGeometry;
  readonly spot = new PlaneGeometry(1, 1);
  readonly shade: MeshBasicMaterial;
  readonly #skins = new Map<string, MeshStandardMaterial>();
  readonly #rims = new Map<string, MeshBasicMaterial>();
  readonly #spotPicture: Texture;

  constructor(
    readonly solid: Solid,
    readonly isDark: boolean,
  ) {
    this.body = hollowCone(solid);
    this.hull = hull(solid);
    this.#spotPicture = softSpot("#000000", isDark ? 0.7 : 0.5);
    this.shade = new MeshBasicMaterial({ map: this.#spotPicture, transparent: true, depthWrite: false });
  }

  /** The material of a tint; unknown ones are grey. */
  skin(tint: Tint | undefined): MeshStandardMaterial {
    const face: Face = tint ?? UNKNOWN;
    const key = `${face.fill} ${face.letter} ${face.shape}`;
    let found = this.#skins.get(key);
    if (!found) {
      found = new MeshStandardMaterial({ map: skin(face), vertexColors: true, roughness: 0.52, metalness: 0 });
      this.#skins.set(key, found);
    }
    return found;
  }

  rim(colour: string): MeshBasicMaterial {
    let found = this.#rims.get(colour);
    if (!found) this.#rims.set(colour, (found = new MeshBasicMaterial({ color: colour, side: BackSide })));
    return found;
  }

  dispose(): void {
    for (const one of [this.body, this.hull, this.spot, this.shade, this.#spotPicture, ...this.#rims.values()]) one.dispose();
    for (const one of this.#skins.values()) {
      one.map?.dispose();
      one.dispose();
    }
  }
}

const COLOURS: Record<Exclude<Rim, "none">, [light: string, dark: string]> = {
  next: ["#2f8f83", "#2f8f83"],
  picked: ["#146458", "#6fdccb"],
  hinted: ["#7a3fa0", "#d9a8ff"],
};
/** How many pixels wide each rim is. */
const WIDTHS: Record<Rim, number> = { none: 0, next: 2.4, picked: 3.4, hinted: 3.4 };

export class SolidPiece {
  /** The body with its rim, in the place's group. */
  readonly group = new Group();
  readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  readonly shade: Mesh;
  rim: Rim = "none";
  tint: string | undefined;
  /** Where it stands when nothing moves it. */
  readonly home = new Vector3();
  readonly homeTurn = new Quaternion();
  /** How far it is lifted now, and how far it is to be. */
  lift = 0;
  #rims: Mesh[] = [];
  #shared: MeshStandardMaterial;
  #own: MeshStandardMaterial | null = null;

  constructor(
    readonly kit: PieceKit,
    readonly spot: string,
  ) {
    this.#shared = kit.skin(undefined);
    this.mesh = new Mesh(kit.body, this.#shared);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.userData["spot"] = spot;
    this.group.add(this.mesh);
    this.shade = new Mesh(kit.spot, kit.shade);
    this.shade.scale.setScalar(kit.solid.foot * 2.9);
    this.shade.renderOrder = 1;
  }

  /** How far it should be lifted. */
  get wanted(): number {
    return this.rim === "picked" ? LIFT : 0;
  }

  set(piece: Piece, tint: Tint | undefined, foot: readonly number[]): void {
    const { move, spin } = poseOf(piece);
    this.home.set(foot[0]! + move[0], foot[1]! + move[1], foot[2]! + move[2] + (piece.level ?? 0) * this.kit.solid.height * 0.3);
    const axis = new Vector3(...spin);
    const angle = axis.length();
    this.homeTurn.setFromAxisAngle(angle ? axis.divideScalar(angle) : axis.set(0, 0, 1), angle);
    this.tint = tint?.name;
    this.#shared = this.kit.skin(tint);
    this.#restore();
    this.goHome();
  }

  goHome(): void {
    this.put(this.home.x, this.home.y, this.home.z + this.lift, this.homeTurn);
  }

  put(x: number, y: number, z: number, turn: Quaternion): void {
    this.group.position.set(x, y, z);
    this.group.quaternion.copy(turn);
    this.shade.position.set(x, y, 0.5);
    this.shade.visible = z < this.kit.solid.height * 0.4 && this.group.visible;
  }

  /** 1: solid; 0: gone. */
  fade(opacity: number): void {
    this.group.visible = opacity > 0.01;
    this.shade.visible &&= opacity > 0.5;
    if (opacity >= 1) return this.#restore();
    this.#own ??= this.mesh.material.clone();
    this.#own.transparent = true;
    this.#own.opacity = opacity;
    this.mesh.material = this.#own;
    this.mesh.castShadow = opacity > 0.5;
  }

  #restore(): void {
    this.mesh.material = this.#shared;
    this.#own?.dispose();
    this.#own = null;
    this.group.visible = this.mesh.castShadow = true;
  }

  mark(rim: Rim): void {
    if (rim === this.rim) return;
    this.rim = rim;
    this.group.remove(...this.#rims);
    this.#rims = [];
    if (rim === "none") return;
    const { kit } = this;
    const colour = COLOURS[rim][kit.isDark ? 1 : 0];
    // A pale line outside the colour keeps it apart from wood and from neighbours of any tint.
    this.#rims = [colour, kit.isDark && rim !== "next" ? "#1d1b19" : "#fbf6ea"].map((one) => new Mesh(kit.hull, kit.rim(one)));
    for (const one of this.#rims) {
      one.position.z = kit.solid.height / 2;
      one.raycast = () => undefined;
    }
    this.group.add(...this.#rims);
  }

  /** Keeps the rim as wide on the screen as it should be, however near one looks. */
  widen(camera: PerspectiveCamera, perPixel: number): void {
    if (!this.#rims.length) return;
    const far = this.group.getWorldPosition(new Vector3()).distanceTo(camera.position) * perPixel;
    const { foot, height } = this.kit.solid;
    this.#rims.forEach((one, i) => {
      const out = far * (WIDTHS[this.rim] + 1.3 * i);
      one.scale.set(1 + out / foot, 1 + out / foot, 1 + (2 * out) / height);
    });
  }

  dispose(): void {
    this.#own?.dispose();
    this.group.removeFromParent();
    this.shade.removeFromParent();
  }
}
