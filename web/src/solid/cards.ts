// Cards: their pictures, and those that lie on the table before their owners and in the middle.

import { BoxGeometry, type BufferGeometry, Group, Mesh, MeshBasicMaterial, MeshLambertMaterial, type Texture } from "three";

import type { Part, Piece, Tint } from "../wire.gen";
import { CARD, cardBack, cardFace, UNKNOWN } from "./faces";
import type { Rim } from "./pieces";
import { fan, onTable, type Place } from "./ring";
import { roundedCard } from "./shapes";

/** The size of a card on the table, in millimetres. */
export const WIDE = 50;
export const TALL = (WIDE * CARD.height) / CARD.width;

export const RIMS: Record<Exclude<Rim, "none">, [light: string, dark: string]> = {
  next: ["#2f8f83", "#4fb3a5"],
  picked: ["#146458", "#6fdccb"],
  hinted: ["#7a3fa0", "#d9a8ff"],
};

/** The pictures of cards, each painted once. */
export class CardKit {
  readonly shape: BufferGeometry = roundedCard(WIDE, TALL, 5);
  /** For the rim behind a card: one millimetre more has the same corners. */
  readonly plain = new Map<string, MeshBasicMaterial>();
  readonly #pictures = new Map<string, Texture>();
  readonly #lit = new Map<Texture, MeshLambertMaterial>();
  readonly #flat = new Map<Texture, MeshBasicMaterial>();

  constructor(readonly isDark: boolean) {}

  picture(piece: Piece, tint: Tint | undefined): Texture {
    const isBack = piece.kind === "back";
    const key = isBack ? `back ${piece.text ?? ""}` : `${tint?.name} ${piece.text ?? ""}`;
    let found = this.#pictures.get(key);
    if (!found) this.#pictures.set(key, (found = isBack ? cardBack(piece.text ?? "") : cardFace(tint ?? UNKNOWN, piece.text || "?")));
    return found;
  }

  /** For the table, where light and shadow fall on it. */
  lit(picture: Texture): MeshLambertMaterial {
    let found = this.#lit.get(picture);
    if (!found) this.#lit.set(picture, (found = new MeshLambertMaterial({ map: picture, alphaTest: 0.5 })));
    return found;
  }

  /** For the hand, which is held before everything. */
  flat(picture: Texture): MeshBasicMaterial {
    let found = this.#flat.get(picture);
    if (!found) this.#flat.set(picture, (found = new MeshBasicMaterial({ map: picture, transparent: true, depthTest: false })));
    return found;
  }

  rim(rim: Exclude<Rim, "none">): MeshBasicMaterial {
    const colour = RIMS[rim][this.isDark ? 1 : 0];
    let found = this.plain.get(colour);
    if (!found) this.plain.set(colour, (found = new MeshBasicMaterial({ color: colour, transparent: true, depthWrite: false })));
    return found;
  }

  dispose(): void {
    this.shape.dispose();
    for (const map of [this.plain, this.#pictures, this.#lit, this.#flat]) for (const one of map.values()) one.dispose();
  }
}

/** Where a row of cards lies: before a place, so far towards its owner, and from which side it is read. */
export interface Row {
  place: Place;
  front: number;
  isTurned: boolean;
  wide: number;
}

/** The cards of a part as they lie on the table. */
export function layCards(kit: CardKit, part: Part, tints: ReadonlyMap<string, Tint>, row: Row, rimOf: (spot: string) => Rim): Group {
  const group = new Group();
  const pieces = part.pieces ?? [];
  const turn = row.place.turn + (row.isTurned ? Math.PI : 0);
  fan(pieces.length, WIDE * 0.8, row.wide - WIDE).forEach((x, i) => {
    const piece = pieces[i]!;
    const [across, away] = onTable(row.place, row.isTurned ? -x : x, -row.front);
    group.add(...oneCard(kit, piece, tints.get(piece.tint ?? ""), rimOf(piece.spot), across, away, 0.8 + 0.5 * i, turn));
  });
  return group;
}

function oneCard(kit: CardKit, piece: Piece, tint: Tint | undefined, rim: Rim, x: number, y: number, z: number, turn: number): Mesh[] {
  const card = new Mesh(kit.shape, kit.lit(kit.picture(piece, tint)));
  card.receiveShadow = true;
  card.position.set(x, y, z + (rim === "picked" ? 6 : 0));
  card.rotation.z = turn;
  card.userData["spot"] = piece.spot;
  if (rim === "none") return [card];
  const back = new Mesh(kit.shape, kit.rim(rim));
  back.position.set(x, y, card.position.z - 0.25);
  back.rotation.z = turn;
  back.scale.set(1.1, 1.07, 1);
  return [back, card];
}

/** The stock of cards in the middle, as high as it has cards. */
export function layStock(kit: CardKit, part: Part, tints: ReadonlyMap<string, Tint>, away: number, rimOf: (spot: string) => Rim): Group {
  const group = new Group();
  const pieces = part.pieces ?? [];
  pieces.forEach((piece, i) => {
    const count = Number(piece.text) || 1;
    const high = Math.min(2 + count * 0.4, 34);
    const x = (i - (pieces.length - 1) / 2) * WIDE * 1.2;
    const body = new Mesh(new BoxGeometry(WIDE - 1, TALL - 1, high), new MeshLambertMaterial({ color: "#efe6d4" }));
    body.position.set(x, away, high / 2);
    body.castShadow = body.receiveShadow = true;
    body.userData["spot"] = piece.spot;
    body.userData["own"] = true;
    group.add(body, ...oneCard(kit, piece, tints.get(piece.tint ?? ""), rimOf(piece.spot), x, away, high + 0.4, 0));
  });
  return group;
}

/** Takes cards off the table; what they share stays. */
export function clearCards(group: Group): void {
  group.traverse((one) => {
    if (!(one instanceof Mesh) || !one.userData["own"]) return;
    one.geometry.dispose();
    (one.material as MeshLambertMaterial).dispose();
  });
  group.removeFromParent();
}
