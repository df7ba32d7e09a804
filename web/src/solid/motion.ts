// Motions as the server sends them (docs/motion.md), and where everything is at a moment of one.

import type { Motion } from "./contract";

const VERSION = 1;
const HEAD = 5;
const NOWHERE = -32768;
/** Tenths of a millimetre. */
const PLACE = 1 / 10;

/** What the bytes of a motion say; throws an Error when they are not one. */
export function decode(data: ArrayBuffer): Motion {
  if (data.byteLength < 2 * HEAD) throw new Error("A motion is longer than this.");
  const view = new DataView(data);
  const number = (at: number) => view.getInt16(2 * at, true);
  const [version, frames, pieces, rate, cut] = [number(0), number(1), number(2), number(3), number(4)];
  if (version !== VERSION) throw new Error(`This motion has version ${version}, not ${VERSION}.`);
  if (frames < 1 || pieces < 0 || rate < 1 || cut < 0 || cut > frames) throw new Error("The head of this motion makes no sense.");
  const count = (3 + 7 * pieces) * frames;
  const start = 2 * (HEAD + 2 * pieces);
  if (data.byteLength !== start + 2 * count) throw new Error("This motion is not as long as its head says.");
  const listed = (from: number) => Array.from({ length: pieces }, (_, piece) => number(from + piece));
  const [places, gone] = [listed(HEAD), listed(HEAD + pieces)];
  if (places.some((place) => place < 0) || new Set(places).size < pieces) throw new Error("The places of this motion make no sense.");
  if (gone.some((frame) => frame < 0 || frame > frames)) throw new Error("A piece of this motion is taken away at no frame of it.");
  const columns = unpacked(new Uint8Array(data, start), frames);
  const made: Motion = { frames, rate, cut, places, gone, finger: fingerOf(columns, frames), poses: new Float32Array(7 * pieces * frames) };
  for (let piece = 0; piece < pieces; piece++) fillPoses(made, piece, columns);
  return made;
}

/** Low bytes, then high bytes; each column begins with its first number and goes on with differences. */
function unpacked(bytes: Uint8Array, frames: number): Int16Array {
  const count = bytes.length / 2;
  const columns = new Int16Array(count);
  for (let at = 0; at < count; at++) {
    const difference = bytes[at]! | (bytes[count + at]! << 8);
    columns[at] = at % frames ? columns[at - 1]! + difference : difference;
  }
  return columns;
}

function fingerOf(columns: Int16Array, frames: number): Float32Array {
  const finger = new Float32Array(3 * frames);
  for (let frame = 0; frame < frames; frame++) {
    const at = [0, 1, 2].map((axis) => columns[axis * frames + frame]!);
    const isThere = at.some((value) => value !== NOWHERE);
    at.forEach((value, axis) => (finger[3 * frame + axis] = isThere ? value * PLACE : NaN));
  }
  return finger;
}

function fillPoses({ frames, poses }: Motion, piece: number, columns: Int16Array): void {
  const from = (3 + 7 * piece) * frames;
  for (let frame = 0; frame < frames; frame++) {
    const to = 7 * (piece * frames + frame);
    const [x, y, z, w] = [3, 4, 5, 6].map((axis) => columns[from + axis * frames + frame]!) as [number, number, number, number];
    const size = Math.hypot(x, y, z, w);
    if (size < 1) throw new Error("A piece of this motion is turned nowhere.");
    for (let axis = 0; axis < 3; axis++) poses[to + axis] = columns[from + axis * frames + frame]! * PLACE;
    [x, y, z, w].forEach((value, axis) => (poses[to + 3 + axis] = value / size));
  }
}

/** x, y, z, then the quaternion x, y, z, w of a piece between two frames. */
export function poseAt({ frames, poses }: Motion, piece: number, frame: number): number[] {
  const at = Math.min(Math.max(frame, 0), frames - 1);
  const first = Math.min(Math.floor(at), Math.max(frames - 2, 0));
  const share = at - first;
  const a = 7 * (piece * frames + first);
  const b = frames > 1 ? a + 7 : a;
  const place = [0, 1, 2].map((axis) => poses[a + axis]! + (poses[b + axis]! - poses[a + axis]!) * share);
  return [...place, ...slerp(poses.subarray(a + 3, a + 7), poses.subarray(b + 3, b + 7), share)];
}

/** The finger's middle between two frames, or null where there is none. */
export function fingerAt({ frames, finger }: Motion, frame: number): [number, number, number] | null {
  const at = Math.min(Math.max(frame, 0), frames - 1);
  const first = Math.floor(at);
  const second = Math.min(first + 1, frames - 1);
  const value = (axis: number) => {
    const [a, b] = [finger[3 * first + axis]!, finger[3 * second + axis]!];
    return Number.isNaN(b) ? a : a + (b - a) * (at - first);
  };
  const found: [number, number, number] = [value(0), value(1), value(2)];
  return found.some(Number.isNaN) ? null : found;
}

/** The turn a share of the way from one quaternion to another, the shorter way round. */
function slerp(a: Float32Array, b: Float32Array, share: number): number[] {
  let cosine = a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!;
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(Math.abs(cosine), 1);
  const angle = Math.acos(cosine);
  // Nearly equal: the sine below would be nearly nothing, and a straight line is exact enough.
  const near = angle < 1e-3;
  const [left, right] = near ? [1 - share, share] : [Math.sin((1 - share) * angle) / Math.sin(angle), Math.sin(share * angle) / Math.sin(angle)];
  const mixed = [0, 1, 2, 3].map((axis) => left * a[axis]! + sign * right * b[axis]!);
  const size = Math.hypot(...mixed);
  return mixed.map((value) => value / size);
}

/** Whether a piece lies or stands somewhere else at the end than where it began, so that it does not stay. */
export function hasFallen(motion: Motion, piece: number, height: number): boolean {
  const first = poseAt(motion, piece, 0);
  const last = poseAt(motion, piece, motion.frames - 1);
  const [x, y] = [last[3]!, last[4]!];
  const upright = 1 - 2 * (x * x + y * y);
  return upright < 0.7 || Math.hypot(...[0, 1, 2].map((axis) => last[axis]! - first[axis]!)) > height;
}
