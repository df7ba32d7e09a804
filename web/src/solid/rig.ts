// Where one looks from: round the table, higher or lower, nearer or further; everything that matters stays in sight.

import { PerspectiveCamera, Vector3 } from "three";

/** How somebody wants to look. */
export interface Look {
  /** Degrees round the table; 0: from the nearest seat, growing counter-clockwise as seen from above. */
  azimuth: number;
  /** Degrees above the table; null: what suits the shape of the screen. */
  elevation: number | null;
  /** 1: everything just fits; less is nearer. */
  zoom: number;
  /** By how many millimetres the middle of the picture is moved on the table. */
  x: number;
  y: number;
  /** Whose pieces are looked at; null: the whole table. */
  seat: number | null;
}

export const WHOLE: Look = { azimuth: 0, elevation: null, zoom: 1, x: 0, y: 0, seat: null };

interface Pose {
  azimuth: number;
  elevation: number;
  distance: number;
  target: Vector3;
  shift: [number, number];
}

/** What part of the screen is free for the table, in pixels. */
export interface Room {
  width: number;
  height: number;
  top: number;
  bottom: number;
  side: number;
}

const LOWEST = 6;
const HIGHEST = 86;
const FIELD = 15;
const radians = (degrees: number) => (degrees * Math.PI) / 180;
const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
const ease = (share: number) => 1 - (1 - share) ** 3;

export class Rig {
  readonly camera = new PerspectiveCamera(2 * FIELD, 1, 40, 9000);
  look: Look = { ...WHOLE };
  room: Room = { width: 1, height: 1, top: 0, bottom: 0, side: 0 };
  #from: Pose | null = null;
  #pose: Pose | null = null;
  #began = 0;
  #takes = 0;

  /** `points` are the corners of what must be in sight: of one seat's pieces, or of everything. */
  constructor(readonly points: (seat: number | null) => Vector3[]) {
    this.camera.up.set(0, 0, 1);
  }

  /** Looks another way, in so many milliseconds. */
  go(look: Partial<Look>, now: number, takes: number): void {
    this.#from = this.#pose;
    this.look = { ...this.look, ...look };
    this.look.elevation = this.look.elevation === null ? null : clamp(this.look.elevation, LOWEST, HIGHEST);
    this.look.zoom = clamp(this.look.zoom, 0.22, 1.35);
    [this.#began, this.#takes] = [now, this.#from ? takes : 0];
  }

  get isMoving(): boolean {
    return this.#takes > 0;
  }

  /** Degrees above the table now. */
  get elevation(): number {
    return this.look.elevation ?? this.#usual();
  }

  /** Nearer or further by a factor, keeping the point of the table under the pointer where it is. */
  zoom(factor: number, at: Vector3 | null, furthest: number, now: number): void {
    const zoom = clamp(this.look.zoom * factor, 0.22, 1.35);
    const real = zoom / this.look.zoom;
    let { x, y } = this.look;
    const middle = this.#pose?.target;
    if (at && middle && real < 1) [x, y] = [x + (at.x - middle.x) * (1 - real), y + (at.y - middle.y) * (1 - real)];
    // Further away the middle comes back to the middle.
    const most = furthest * clamp((1 - zoom) / 0.4, 0, 1);
    const far = Math.hypot(x, y);
    if (far > most) [x, y] = far ? [(x * most) / far, (y * most) / far] : [0, 0];
    this.go({ zoom, x, y }, now, 0);
  }

  /** Puts the camera where it is to be at `now`; whether it is still on its way. */
  step(now: number): boolean {
    const goal = this.#resolve();
    const share = this.#takes ? clamp((now - this.#began) / this.#takes, 0, 1) : 1;
    if (share >= 1) [this.#takes, this.#from] = [0, null];
    this.#pose = this.#from && share < 1 ? between(this.#from, goal, ease(share)) : goal;
    this.#apply(this.#pose);
    return this.isMoving;
  }

  /** In a high narrow picture one looks from further above, so that it is filled. */
  #usual(): number {
    const { width, height, top, bottom } = this.room;
    const slim = width / Math.max(height - top - bottom, 1);
    if (this.look.seat !== null) return 24;
    return clamp(64 - 11.5 * slim, 38, 58);
  }

  #resolve(): Pose {
    const points = this.points(this.look.seat);
    const { width, height, top, bottom, side } = this.room;
    const free: [number, number] = [2 * (1 - (2 * side) / width), 2 * (1 - (top + bottom) / height)];
    this.camera.aspect = width / height;
    // The narrower side decides how wide one sees, else a high picture would look as through a telescope.
    this.camera.fov = (2 * Math.atan(Math.tan(radians(FIELD)) * Math.max(1, height / width)) * 180) / Math.PI;
    const target = middleOf(points).add(new Vector3(this.look.x, this.look.y, 0));
    const pose: Pose = { azimuth: this.look.azimuth, elevation: this.elevation, distance: 0, target: middleOf(points), shift: [0, 0] };
    let [near, far] = [60, 8000];
    for (let i = 0; i < 18; i++) {
      pose.distance = (near + far) / 2;
      const [left, low, right, high] = this.#bounds(pose, points);
      if (right - left > free[0] || high - low > free[1]) near = pose.distance;
      else far = pose.distance;
    }
    pose.distance = far;
    const [left, low, right, high] = this.#bounds(pose, points);
    const up = (bottom - top) / height;
    pose.shift = [((left + right) / 4) * width, -((low + high) / 2 - up) * (height / 2)];
    return { ...pose, target, distance: far * this.look.zoom };
  }

  #bounds(pose: Pose, points: readonly Vector3[]): [number, number, number, number] {
    this.#apply({ ...pose, shift: [0, 0] });
    const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const point of points) {
      const { x, y, z } = point.clone().project(this.camera);
      // Behind the camera: much too near.
      if (z > 1) return [-9, -9, 9, 9];
      [box[0], box[1]] = [Math.min(box[0], x), Math.min(box[1], y)];
      [box[2], box[3]] = [Math.max(box[2], x), Math.max(box[3], y)];
    }
    return box;
  }

  #apply({ azimuth, elevation, distance, target, shift }: Pose): void {
    const [around, up] = [radians(azimuth - 90), radians(elevation)];
    const flat = distance * Math.cos(up);
    this.camera.position.set(target.x + flat * Math.cos(around), target.y + flat * Math.sin(around), target.z + distance * Math.sin(up));
    this.camera.lookAt(target);
    const { width, height } = this.room;
    this.camera.setViewOffset(width, height, shift[0], shift[1], width, height);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }
}

function middleOf(points: readonly Vector3[]): Vector3 {
  const [low, high] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
  for (const point of points) {
    low.min(point);
    high.max(point);
  }
  return points.length ? low.add(high).divideScalar(2) : new Vector3();
}

function between(a: Pose, b: Pose, share: number): Pose {
  const mix = (from: number, to: number) => from + (to - from) * share;
  // The shorter way round.
  const around = ((((b.azimuth - a.azimuth) % 360) + 540) % 360) - 180;
  return {
    azimuth: a.azimuth + around * share,
    elevation: mix(a.elevation, b.elevation),
    distance: mix(a.distance, b.distance),
    target: a.target.clone().lerp(b.target, share),
    shift: [mix(a.shift[0], b.shift[0]), mix(a.shift[1], b.shift[1])],
  };
}
