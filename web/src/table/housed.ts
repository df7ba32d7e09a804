// Scenes whose pieces are all in the parts that they stand in.

import { piecesOf } from "../board/scene";
import type { Part, Scene } from "../wire.gen";

/** A part that has only pieces puts them on the cells of other parts, as an arrangement does: here they join those. */
export function housed(scene: Scene): Scene {
  const isGuest = (part: Part) => !part.cells?.length && !!part.pieces?.length;
  const guests = piecesOf(scene.parts.filter(isGuest));
  if (!guests.length) return scene;
  const parts = scene.parts.filter((part) => !isGuest(part)).map((part) => {
    const own = new Set((part.cells ?? []).map((cell) => cell.spot));
    const joined = guests.filter((piece) => own.has(piece.spot));
    if (!joined.length) return part;
    const taken = new Set(joined.map((piece) => piece.spot));
    return { ...part, pieces: [...(part.pieces ?? []).filter((piece) => !taken.has(piece.spot)), ...joined] };
  });
  return { ...scene, parts };
}
