// Everything that stands and lies on the table, built from a scene and changed with it.

import { DoubleSide, Group, Mesh, MeshBasicMaterial, type Object3D, type PerspectiveCamera, type Raycaster, Scene as Space, Vector3 } from "three";

import { lettered } from "../lib/messages";
import type { Part, Scene, Solid, Tint } from "../wire.gen";
import { CardKit, clearCards, layCards, layStock, TALL } from "./cards";
import type { SolidState } from "./contract";
import { Finger } from "./finger";
import { PieceKit, type Rim, SolidPiece } from "./pieces";
import { footOf, halfRow, onTable, type Place, type Ring, ringOf, sizeOf } from "./ring";
import { flatRing } from "./shapes";
import { TableTop } from "./tabletop";

/** From the pieces to the cards before them. */
const BEFORE = 30;

/** The set of pieces of one seat. */
export interface Stand {
  seat: number;
  part: Part;
  /** Its origin is the foot of the leftmost piece of the lowest row; x to the owner's right, y to the back. */
  group: Group;
  pieces: Map<string, SolidPiece>;
  /** A motion has moved the pieces away from where the part has them. */
  isMoved: boolean;
}

export class Stage {
  readonly space = new Space();
  readonly stands = new Map<number, Stand>();
  readonly ring: Ring;
  readonly size: { wide: number; high: number };
  readonly top: TableTop;
  readonly finger: Finger;
  readonly cards: CardKit;
  readonly #kit: PieceKit;
  #laid: Group[] = [];
  #ghosts = new Group();
  readonly #ghostShape;
  readonly #ghostPaint = new MeshBasicMaterial({ color: "#2f8f83", side: DoubleSide, transparent: true, opacity: 0.9, depthWrite: false });
  #tints: ReadonlyMap<string, Tint> = new Map();
  #state: SolidState;

  constructor(
    state: SolidState,
    readonly solid: Solid,
  ) {
    this.#state = state;
    const { scene, isDark } = state;
    this.size = sizeOf(scene, solid);
    this.ring = ringOf(seatsOf(scene), state.seat, this.size.wide);
    this.top = new TableTop(this.tableRadius, isDark);
    this.#kit = new PieceKit(solid, isDark);
    this.cards = new CardKit(isDark);
    this.finger = new Finger(isDark);
    this.#ghostShape = flatRing(solid.foot * 0.82, solid.foot);
    this.space.background = this.top.background;
    this.space.add(this.top.group, this.#ghosts);
  }

  /** What a stage is built for; another one is needed when it changes. */
  static keyOf({ scene, seat, isDark }: SolidState): string {
    const places = scene.parts.filter((part) => part.role === "place").map((part) => [part.id, part.cells?.length]);
    return JSON.stringify([scene.title, scene.solid, seatsOf(scene), seat, isDark, places]);
  }

  /** The seat in front; that of the first player when it is nobody's table. */
  get nearest(): number {
    return this.#state.seat ?? seatsOf(this.#state.scene)[0] ?? 0;
  }

  get tableRadius(): number {
    return Math.hypot(this.ring.radius + this.solid.foot + BEFORE + TALL, this.size.wide / 2) + 12;
  }

  /** Shows a scene. `kept` is a seat whose pieces stay as they are, because a motion moves them. */
  show(state: SolidState, kept: number | null): SolidPiece[] {
    this.#state = state;
    const { scene } = state;
    this.#tints = new Map((scene.tints ?? []).map((tint) => [tint.name, lettered(tint)]));
    const gone = scene.parts.filter((part) => part.role === "place" && part.owner !== kept).flatMap((part) => this.#stand(part));
    this.#mark(kept);
    this.#layAll(scene);
    const acting = scene.players.filter((player) => player.acts);
    this.top.lamp(acting.length === 1 ? (this.ring.places.get(acting[0]!.seat) ?? null) : null, this.size.wide);
    this.top.turnWay(scene.direction ?? 0, Math.min(84, this.ring.radius * 0.36), this.stockAway);
    return gone;
  }

  /** Puts the pieces of a place as its part says; answers with those that are no longer there. */
  #stand(part: Part): SolidPiece[] {
    const place = this.ring.places.get(part.owner ?? -1);
    if (!place) return [];
    let stand = this.stands.get(place.seat);
    if (stand?.part === part && !stand.isMoved) return [];
    if (!stand) {
      stand = { seat: place.seat, part, group: new Group(), pieces: new Map(), isMoved: false };
      const [x, y] = onTable(place, -halfRow(part, this.solid), 0);
      stand.group.position.set(x, y, 0);
      stand.group.rotation.z = place.turn;
      this.space.add(stand.group);
      this.stands.set(place.seat, stand);
    }
    [stand.part, stand.isMoved] = [part, false];
    const cells = new Map((part.cells ?? []).map((cell) => [cell.spot, cell]));
    const now = new Set<string>();
    for (const piece of part.pieces ?? []) {
      const cell = cells.get(piece.spot);
      if (!cell) continue;
      now.add(piece.spot);
      let made = stand.pieces.get(piece.spot);
      if (!made) {
        made = new SolidPiece(this.#kit, piece.spot);
        stand.pieces.set(piece.spot, made);
        stand.group.add(made.group, made.shade);
      }
      made.set(piece, this.#tints.get(piece.tint ?? ""), footOf(cell, part, this.solid));
    }
    const gone = [...stand.pieces.values()].filter((piece) => !now.has(piece.spot));
    for (const piece of gone) {
      stand.pieces.delete(piece.spot);
      piece.mark("none");
    }
    return gone;
  }

  /** Shows one seat's pieces as another scene has them: those that a motion is about to move. */
  rewind(scene: Scene, seat: number): Stand | null {
    const part = placeOf(scene, seat);
    if (!part) return null;
    for (const piece of this.#stand(part)) piece.dispose();
    const stand = this.stands.get(seat) ?? null;
    for (const piece of stand?.pieces.values() ?? []) {
      piece.mark("none");
      piece.lift = 0;
      piece.fade(1);
      piece.goHome();
    }
    return stand;
  }

  /** After a motion: whether something newer than the scene before it is known, so that the pieces can be put anew. */
  unwind(stand: Stand, before: Scene): boolean {
    stand.isMoved = true;
    const [then, now] = [before, this.#state.scene].map((scene) => JSON.stringify(placeOf(scene, stand.seat)?.pieces));
    return then !== now;
  }

  readonly rimOf = (spot: string): Rim => {
    const { picked, hinted, next } = this.#state;
    if (picked.includes(spot)) return "picked";
    if (hinted.includes(spot)) return "hinted";
    return next.has(spot) ? "next" : "none";
  };

  /** Marks pieces and empty places by what may be done with them; not those that a motion moves. */
  #mark(kept: number | null): void {
    this.#ghosts.clear();
    for (const stand of this.stands.values()) {
      if (stand.seat === kept) continue;
      for (const piece of stand.pieces.values()) piece.mark(this.rimOf(piece.spot));
      for (const cell of stand.part.cells ?? []) {
        if (stand.pieces.has(cell.spot) || this.rimOf(cell.spot) === "none") continue;
        const ghost = new Mesh(this.#ghostShape, this.#ghostPaint);
        const [x, y, z] = footOf(cell, stand.part, this.solid);
        ghost.position.copy(stand.group.localToWorld(new Vector3(x, y, z + 0.6)));
        ghost.userData["spot"] = cell.spot;
        this.#ghosts.add(ghost);
      }
    }
  }

  /** Cards before their owners, the stock in the middle. */
  #layAll(scene: Scene): void {
    for (const group of this.#laid) clearCards(group);
    this.#laid = scene.parts.flatMap((part) => {
      if (!part.pieces?.length) return [];
      if (part.role === "supply") return [layStock(this.cards, part, this.#tints, this.stockAway, this.rimOf)];
      const place = this.ring.places.get(part.owner ?? -1);
      const isHeld = part.role === "hand" && part.owner === this.#state.seat;
      if (!place || isHeld || !(part.role === "open" || part.role === "hand")) return [];
      const far = this.solid.foot + BEFORE + TALL / 2 + (part.role === "hand" && place.seat === this.nearest ? TALL + 6 : 0);
      // The nearest lie before their pieces; those of others towards the middle, where pieces do not hide them.
      const isInner = part.role === "open" && place.seat !== this.nearest;
      const row = { place, front: isInner ? -far : far, isTurned: isInner, wide: this.size.wide + 20 };
      return [layCards(this.cards, part, this.#tints, row, this.rimOf)];
    });
    for (const group of this.#laid) this.space.add(group);
  }

  /** The corners of what must be in sight: one seat's pieces, or everything. */
  readonly points = (seat: number | null): Vector3[] => {
    const { wide, high } = this.size;
    const foot = this.solid.foot;
    return [...this.ring.places.values()].flatMap((place) => {
      if (seat !== null && place.seat !== seat) return [];
      const isNearest = place.seat === this.nearest;
      const out = seat === null ? foot + (isNearest ? BEFORE + TALL * 0.8 : 14) : 60;
      const back = seat === null ? foot : 60;
      const side = wide / 2 + (seat === null ? 6 : 26);
      return [
        [-side, -out, 0],
        [side, -out, 0],
        [-side, back, 0],
        [side, back, 0],
        [0, 0, high + 4],
      ].map(([x, y, z]) => new Vector3(...onTable(place, x!, y!), z!));
    });
  };

  /** The corners of a seat's pieces alone. */
  corners(place: Place): Vector3[] {
    const { wide, high } = this.size;
    const flat = [-1, 1].flatMap((x) => [-1, 1].map((y) => new Vector3(...onTable(place, (x * wide) / 2, y * this.solid.foot), 0)));
    return [...flat, new Vector3(place.x, place.y, high)];
  }

  /** Left of the cards that lie before one's own pieces. */
  cardsLeft(place: Place): Vector3 {
    return new Vector3(...onTable(place, -this.size.wide * 0.36, -this.solid.foot - BEFORE - TALL), 0);
  }

  /** How far from the middle the stock lies: high pieces must not hide it from whoever sits nearest. */
  get stockAway(): number {
    return Math.max(0, this.size.high - 150) * 0.6;
  }

  /** The middle of everything that can be pointed at on the table. */
  *middles(): Iterable<[spot: string, at: Vector3]> {
    for (const stand of this.stands.values())
      for (const piece of stand.pieces.values()) yield [piece.spot, piece.group.localToWorld(new Vector3(0, 0, this.solid.height / 2))];
    for (const group of [...this.#laid, this.#ghosts])
      for (const one of group.children) if (one.userData["spot"]) yield [one.userData["spot"] as string, one.getWorldPosition(new Vector3())];
  }

  /** What a ray meets first. */
  hit(ray: Raycaster): { spot: string; at: Vector3 } | null {
    const bodies: Object3D[] = [...this.stands.values()].flatMap((stand) => [...stand.pieces.values()].filter((piece) => piece.group.visible).map((piece) => piece.mesh));
    bodies.push(...[...this.#laid, this.#ghosts].flatMap((group) => group.children.filter((one) => one.userData["spot"])));
    const first = ray.intersectObjects(bodies, false)[0];
    return first ? { spot: first.object.userData["spot"] as string, at: first.point } : null;
  }

  /** The piece at a spot, and whose it is. */
  find(spot: string): { stand: Stand; piece: SolidPiece } | null {
    for (const stand of this.stands.values()) {
      const piece = stand.pieces.get(spot);
      if (piece) return { stand, piece };
    }
    return null;
  }

  /** Keeps rims as wide on the screen as they should be. */
  widen(camera: PerspectiveCamera, perPixel: number): void {
    for (const stand of this.stands.values()) for (const piece of stand.pieces.values()) piece.widen(camera, perPixel);
  }

  dispose(): void {
    for (const stand of this.stands.values()) for (const piece of stand.pieces.values()) piece.dispose();
    for (const group of this.#laid) clearCards(group);
    this.#ghostShape.dispose();
    this.#ghostPaint.dispose();
    this.finger.dispose();
    this.top.dispose();
    this.#kit.dispose();
    this.cards.dispose();
  }
}

const seatsOf = (scene: Scene) => scene.players.map((player) => player.seat);
const placeOf = (scene: Scene, seat: number) => scene.parts.find((part) => part.role === "place" && part.owner === seat);
