import { describe, expect, test } from "vitest";

import { decode, fingerAt, hasFallen, poseAt } from "./motion";

interface Plain {
  version?: number;
  frames: number;
  rate?: number;
  cut?: number;
  places: number[];
  gone: number[];
  /** For each frame three numbers, in tenths of a millimetre, or null. */
  finger: (number[] | null)[];
  /** For each piece and frame seven numbers, as they are sent. */
  poses: number[][][];
}

/** The bytes of docs/motion.md. */
function encode({ version = 1, frames, rate = 60, cut = frames, places, gone, finger, poses }: Plain): ArrayBuffer {
  const head = [version, frames, places.length, rate, cut, ...places, ...gone];
  const columns = [0, 1, 2].map((axis) => finger.map((at) => at?.[axis] ?? -32768));
  for (const piece of poses) for (let axis = 0; axis < 7; axis++) columns.push(piece.map((pose) => pose[axis]!));
  const differences = columns.flatMap((column) => column.map((value, i) => (i ? value - column[i - 1]! : value) & 0xffff));
  const low = differences.map((value) => value & 255);
  const high = differences.map((value) => value >> 8);
  const first = head.flatMap((value) => [value & 255, (value >> 8) & 255]);
  return new Uint8Array([...first, ...low, ...high]).buffer;
}

const HALF = Math.round(16384 * Math.SQRT1_2);
const one: Plain = {
  frames: 3,
  cut: 2,
  places: [4, 0],
  gone: [3, 2],
  finger: [null, [-200, 15, 300], [-100, 15, 300]],
  poses: [
    [
      [0, 0, 420, 0, 0, 0, 16384],
      [10, -20, 400, 0, 0, 0, 16384],
      [32000, -32000, -7, HALF, 0, 0, HALF],
    ],
    [
      [460, 0, 0, 0, 0, 0, 16384],
      [460, 0, 0, 0, 0, 0, -16384],
      [460, 0, 0, 0, 0, 0, 16384],
    ],
  ],
};

describe("decoding", () => {
  test("gives back what was encoded, differences beyond sixteen bits included", () => {
    const motion = decode(encode(one));
    expect(motion).toMatchObject({ frames: 3, rate: 60, cut: 2, places: [4, 0], gone: [3, 2] });
    expect([...motion.finger.subarray(3)].map((value) => Math.round(value * 10))).toEqual([-200, 15, 300, -100, 15, 300]);
    expect([...motion.finger.subarray(0, 3)]).toEqual([NaN, NaN, NaN]);
    const last = [...motion.poses.subarray(14, 21)];
    expect(last[0]).toBeCloseTo(3200);
    expect(last[1]).toBeCloseTo(-3200);
    expect(last[2]).toBeCloseTo(-0.7);
    expect(Math.hypot(...last.slice(3))).toBeCloseTo(1);
  });

  test("a motion without pieces is one", () => {
    expect(decode(encode({ frames: 1, places: [], gone: [], finger: [null], poses: [] })).poses).toHaveLength(0);
  });

  const broken: [string, ArrayBuffer][] = [
    ["nothing", new ArrayBuffer(0)],
    ["an odd end", encode(one).slice(0, -1)],
    ["a missing end", encode(one).slice(0, -2)],
    ["too much", new Uint8Array([...new Uint8Array(encode(one)), 0, 0]).buffer],
    ["another version", encode({ ...one, version: 2 })],
    ["no frames", encode({ frames: 0, places: [], gone: [], finger: [], poses: [] })],
    ["no pace", encode({ ...one, rate: 0 })],
    ["a cut after the end", encode({ ...one, cut: 4 })],
    ["a place below nothing", encode({ ...one, places: [-1, 0] })],
    ["one place twice", encode({ ...one, places: [4, 4] })],
    ["a piece that goes after the end", encode({ ...one, gone: [4, 2] })],
    ["a turn of nothing", encode({ ...one, poses: [one.poses[0]!, one.poses[1]!.map(() => [0, 0, 0, 0, 0, 0, 0])] })],
  ];
  test.each(broken)("refuses %s", (_, bytes) => expect(() => decode(bytes)).toThrow(Error));
});

describe("between frames", () => {
  const motion = decode(encode(one));

  test("a piece is on its way, turned evenly", () => {
    const [x, , z, qx, , , qw] = poseAt(motion, 0, 1.5);
    expect(x).toBeCloseTo(1600.5);
    expect(z).toBeCloseTo(19.65);
    // Half of a quarter turn.
    expect(2 * Math.atan2(qx!, qw!)).toBeCloseTo(Math.PI / 4, 3);
  });

  test("two signs of one turn are one turn", () => {
    const turn = poseAt(motion, 1, 0.5).slice(3);
    expect(Math.abs(turn[3]!)).toBeCloseTo(1);
  });

  test("before the beginning and after the end it stands still", () => {
    expect(poseAt(motion, 0, -3)).toEqual(poseAt(motion, 0, 0));
    expect(poseAt(motion, 0, 99)).toEqual(poseAt(motion, 0, 2));
  });

  test("the finger is where it is, or nowhere", () => {
    expect(fingerAt(motion, 0)).toBeNull();
    expect(fingerAt(motion, 1.5)?.map((value) => Math.round(value * 10) / 10)).toEqual([-15, 1.5, 30]);
  });

  test("only what lies or is elsewhere has fallen", () => {
    expect(hasFallen(motion, 0, 40)).toBe(true);
    expect(hasFallen(motion, 1, 40)).toBe(false);
  });
});
