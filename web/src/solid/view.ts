// The three-dimensional view: ties the table, the camera, the pointer and motions together. contract.ts says what for.

import { MathUtils, Plane, Raycaster, Vector2, Vector3, WebGLRenderer } from "three";

import { say } from "../lib/messages";
import type { Aim, OpenSolidView, Shot, SolidEvents, SolidState, SolidView } from "./contract";
import { Gestures } from "./gestures";
import { type Anchor, Overlay } from "./overlay";
import type { SolidPiece } from "./pieces";
import { type Plate, plateOf } from "./plates";
import { Playback } from "./playback";
import { paceOf, Quality } from "./quality";
import { type Look, Rig, WHOLE } from "./rig";
import { Sling } from "./sling";
import { Stage } from "./stage";
import { meant, REACH, type Target } from "./targets";

const STOCK = "stock";
const CAMERA_MS = 550;
const LEAVING_MS = 380;

export const open: OpenSolidView = (canvas, events) => {
  const context = canvas.getContext("webgl2", { antialias: true, alpha: false, stencil: false });
  if (context && !context.isContextLost()) return new View(canvas, context, events);
  queueMicrotask(() => events.fail("no-webgl"));
  return { show() {}, play: async () => {}, stop() {}, turn() {}, look() {}, pace: null, close() {} };
};

class View implements SolidView {
  pace: SolidView["pace"] = null;
  readonly #renderer: WebGLRenderer;
  readonly #overlay = new Overlay();
  readonly #quality = new Quality();
  readonly #gestures: Gestures;
  readonly #rig = new Rig((seat) => this.#stage?.points(seat) ?? []);
  readonly #ray = new Raycaster();
  readonly #watch: ResizeObserver;
  readonly #ending = new AbortController();
  #stage: Stage | null = null;
  #key = "";
  #state: SolidState | null = null;
  #frame = 0;
  #last: number | null = null;
  #width = 1;
  #height = 1;
  #isOver = false;
  #sling: Sling | null = null;
  #aim: Aim | null = null;
  #fling: { x: number; y: number; at: number } | null = null;
  readonly #leaving = new Map<SolidPiece, number>();
  #playing: { playback: Playback; done: () => void; times: number[]; isRunning: boolean } | null = null;
  /** Whose pieces stay as a motion left them until `show`. */
  #waits: number | null = null;
  /** How one looked before a motion began. */
  #home: Look | null = null;

  constructor(
    readonly canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    readonly events: SolidEvents,
  ) {
    this.#renderer = new WebGLRenderer({ canvas, context, antialias: true });
    const { signal } = this.#ending;
    canvas.addEventListener("webglcontextlost", (event) => (event.preventDefault(), this.#fail("context-lost")), { signal });
    // A hidden page draws nothing: a motion that nobody sees is over.
    document.addEventListener("visibilitychange", () => document.hidden && this.stop(), { signal });
    this.#watch = new ResizeObserver(() => this.#resize());
    this.#watch.observe(canvas);
    this.#gestures = new Gestures(canvas, {
      press: (x, y) => this.#press(x, y),
      tap: (x, y) => this.#tap(x, y),
      turn: (right, down) => this.#drag(right, down),
      fling: (x, y) => this.#throw(x, y),
      zoom: (factor, x, y) => this.#zoom(factor, x, y),
      pull: (x, y) => this.#pull(x, y),
      release: (x, y) => this.#release(x, y),
      cancel: () => this.#letGo(),
      hover: (x, y) => this.#hover(x, y),
    });
    this.#resize();
  }

  show(state: SolidState): void {
    if (this.#isOver) return;
    const { solid } = state.scene;
    if (!solid) throw new Error("This scene says nothing of how its pieces stand in space.");
    this.#state = state;
    this.#waits = null;
    const key = Stage.keyOf(state);
    if (key !== this.#key || !this.#stage) {
      this.#abandon();
      this.#clear();
      this.#key = key;
      this.#stage = new Stage(state, solid);
      this.#stage.top.shade(this.#renderer, this.#quality.now.hasShadows);
      this.#rig.go(this.#whole(), 0, 0);
    }
    this.#put();
  }

  /** Shows the state, except for pieces that a motion moves. */
  #put(): void {
    const [stage, state] = [this.#stage, this.#state];
    if (!stage || !state) return;
    const gone = stage.show(state, this.#playing?.playback.shot.seat ?? this.#waits);
    for (const piece of gone) {
      if (state.isCalm || !piece.group.visible) piece.dispose();
      else this.#leaving.set(piece, -1);
    }
    const hand = state.scene.parts.find((part) => part.role === "hand" && part.owner === state.seat) ?? null;
    const tints = new Map((state.scene.tints ?? []).map((tint) => [tint.name, tint]));
    this.#overlay.setHand(hand, stage.cards, tints, stage.rimOf);
    const plates = new Map<string, Plate>(
      state.scene.players.map((player) => [`${player.seat}`, plateOf(player, state.names.get(player.seat), tints.get(player.tint))]),
    );
    const labels = state.scene.parts.filter((part) => part.role === "supply").flatMap((part) => part.labels ?? []);
    if (labels.length) plates.set(STOCK, { title: "", lines: labels.map((label) => say(label.text)), tint: null, acts: false });
    this.#overlay.setPlates(plates, state.isDark);
    this.#makeRoom();
    if (this.#sling && !state.aiming) this.#letGo();
    this.#showAim();
    this.#change();
  }

  play(shot: Shot): Promise<void> {
    this.#finish();
    const stage = this.#stage;
    const stand = this.#isOver || document.hidden ? null : (stage?.rewind(shot.before, shot.seat) ?? null);
    if (!stage || !stand) return Promise.resolve();
    this.#letGo();
    stage.finger.hide();
    this.#home ??= { ...this.#rig.look };
    const turn = MathUtils.radToDeg(stage.ring.places.get(shot.seat)?.turn ?? 0);
    const [around, elevation] = { owner: [14, 20], behind: [194, 24], side: [68, 22] }[shot.from] as [number, number];
    this.#go({ seat: shot.seat, azimuth: turn + around, elevation, zoom: 1, x: 0, y: 0 }, CAMERA_MS);
    return new Promise((done) => {
      this.#playing = { playback: new Playback(stage, stand, shot), done, times: [], isRunning: false };
      this.#change();
    });
  }

  stop(): void {
    this.#finish();
  }

  /** Ends a motion, if one plays: shows what is true now and looks as before. */
  #finish(): void {
    const playing = this.#playing;
    if (!playing) return;
    this.#playing = null;
    this.pace = paceOf(playing.times) ?? this.pace;
    playing.playback.end();
    const { stand, shot } = playing.playback;
    // The end of the motion stays in sight until the page says what came of it.
    this.#waits = this.#stage?.unwind(stand, shot.before) ? null : shot.seat;
    this.#put();
    if (this.#home) this.#go(this.#home, CAMERA_MS + 150);
    playing.done();
  }

  /** Another table: a motion of the old one is over. */
  #abandon(): void {
    const playing = this.#playing;
    [this.#playing, this.#sling, this.#aim, this.#home] = [null, null, null, null];
    playing?.done();
  }

  turn(right: number, up: number): void {
    this.#home = null;
    const { azimuth } = this.#rig.look;
    this.#go({ azimuth: azimuth - right, elevation: this.#rig.elevation + up }, 180);
  }

  look(seat: number | null): void {
    this.#home = null;
    const place = seat === null ? undefined : this.#stage?.ring.places.get(seat);
    this.#go(place ? { ...WHOLE, seat, azimuth: MathUtils.radToDeg(place.turn) } : this.#whole(), CAMERA_MS);
  }

  /** The whole table: two opposite each other are seen a little from the side where the picture is wide. */
  #whole(): Look {
    const isPair = this.#stage?.ring.places.size === 2 && this.#width > 1.2 * this.#height;
    return { ...WHOLE, azimuth: isPair ? 24 : 0 };
  }

  #go(look: Partial<Look>, takes: number): void {
    this.#fling = null;
    this.#rig.go(look, performance.now(), this.#state?.isCalm ? 0 : takes);
    this.#draw();
  }

  // What the pointer does.

  #drag(right: number, down: number): void {
    this.#home = null;
    const { azimuth } = this.#rig.look;
    this.#go({ azimuth: azimuth - right * 0.32, elevation: this.#rig.elevation + down * 0.24 }, 0);
  }

  #throw(x: number, y: number): void {
    if (this.#state?.isCalm || Math.hypot(x, y) < 0.15) return;
    this.#fling = { x: MathUtils.clamp(x, -2, 2), y: MathUtils.clamp(y, -2, 2), at: performance.now() };
    this.#draw();
  }

  #zoom(factor: number, x: number, y: number): void {
    const stage = this.#stage;
    if (!stage) return;
    this.#home = null;
    this.#aimRay(x, y);
    const at = this.#ray.ray.intersectPlane(new Plane(new Vector3(0, 0, 1), -stage.solid.height), new Vector3());
    this.#fling = null;
    this.#rig.zoom(factor, at, stage.ring.radius, performance.now());
    this.#draw();
  }

  #aimRay(x: number, y: number): void {
    this.#rig.step(performance.now());
    this.#ray.setFromCamera(new Vector2((2 * x) / this.#width - 1, 1 - (2 * y) / this.#height), this.#rig.camera);
  }

  #hit(x: number, y: number): { spot: string; at: Vector3 | null } | null {
    const held = this.#overlay.hit(x, y);
    if (held !== null) return { spot: held, at: null };
    this.#aimRay(x, y);
    return this.#stage?.hit(this.#ray) ?? null;
  }

  *#targets(): Iterable<Target> {
    for (const [spot, at] of this.#stage?.middles() ?? []) yield { spot, ...this.#project(at) };
    for (const card of this.#overlay.held) yield card;
  }

  #press(x: number, y: number): boolean {
    this.#fling = null;
    const [stage, state] = [this.#stage, this.#state];
    if (!stage || !state?.aiming || this.#playing) return false;
    const hit = this.#hit(x, y);
    if (hit && !hit.at) return false;
    const spots = new Set(state.aiming.spots);
    // Somebody who presses beside things wants to turn the table: only what is nearly under the finger counts.
    const near = meant(hit?.spot ?? null, x, y, this.#targets(), spots);
    const found = near !== null && spots.has(near) ? stage.find(near) : null;
    const isNear = hit?.spot === near || (found && this.#distance(found.piece, x, y) < REACH / 2);
    if (!found || !isNear) return false;
    this.#sling = new Sling(stage, found.stand, found.piece, hit?.spot === near ? hit.at : null, { x, y }, this.#rig.camera, state);
    return true;
  }

  #distance(piece: SolidPiece, x: number, y: number): number {
    const at = this.#project(piece.group.getWorldPosition(new Vector3()));
    return Math.hypot(at.x - x, at.y - y);
  }

  #tap(x: number, y: number): void {
    this.#sling = null;
    const state = this.#state;
    if (!state || this.#playing) return;
    const spot = meant(this.#hit(x, y)?.spot ?? null, x, y, this.#targets(), state.next);
    if (spot !== null) this.events.pick(spot);
  }

  get #reach(): number {
    return MathUtils.clamp(0.34 * Math.min(this.#width, this.#height), 100, 210);
  }

  #pull(x: number, y: number): void {
    if (!this.#sling) return;
    const aim = this.#sling.aim(x, y, this.#reach);
    if (JSON.stringify(aim) === JSON.stringify(this.#aim)) return;
    this.#aim = aim;
    this.#showAim();
    this.events.aim(aim);
  }

  #release(x: number, y: number): void {
    const aim = this.#sling?.aim(x, y, this.#reach) ?? null;
    if (!aim) return this.#letGo();
    [this.#sling, this.#aim] = [null, null];
    this.#showAim();
    this.events.release(aim);
  }

  #letGo(): void {
    const wasPulling = this.#sling !== null;
    [this.#sling, this.#aim] = [null, null];
    this.#showAim();
    if (wasPulling) this.events.aim(null);
  }

  #hover(x: number, y: number): void {
    const state = this.#state;
    if (!state || this.#frame) return;
    const spot = this.#hit(x, y)?.spot;
    const canAim = spot !== undefined && state.aiming?.spots.includes(spot);
    this.canvas.style.cursor = canAim ? "crosshair" : spot !== undefined && state.next.has(spot) ? "pointer" : "grab";
  }

  #showAim(): void {
    const [stage, state] = [this.#stage, this.#state];
    if (!stage || !state || this.#playing) return;
    const aim = this.#sling ? this.#aim : state.aim;
    const found = aim && state.aiming ? stage.find(aim.spot) : null;
    if (aim && found && state.aiming) stage.finger.aim(found.stand.group, found.piece.group.position, aim, state.aiming, stage.solid);
    else stage.finger.hide();
    this.#change();
  }

  // Drawing, only when something has changed.

  /** Draws again, with new shadows. */
  #change(): void {
    this.#renderer.shadowMap.needsUpdate = true;
    this.#draw();
  }

  #draw(): void {
    if (!this.#frame && !this.#isOver && this.#stage) this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now: number): void {
    this.#frame = 0;
    const stage = this.#stage;
    if (!stage || this.#isOver) return;
    const time = performance.now();
    if (this.#last !== null) this.#judge(now - this.#last);
    if (this.#isOver) return;
    const parts = [this.#glide(time), this.#rig.step(time), this.#leave(time), this.#lift(stage), this.#move(time)];
    const isMoving = parts.some(Boolean);
    this.#sharpen(isMoving);
    this.#render(stage);
    this.#last = isMoving ? now : null;
    if (isMoving) this.#draw();
  }

  #judge(took: number): void {
    if (this.#playing?.isRunning) this.#playing.times.push(took);
    const answer = this.#quality.note(took);
    if (answer === "hopeless") this.#fail("too-slow");
    else if (answer === "lower") {
      this.#stage?.top.shade(this.#renderer, this.#quality.now.hasShadows);
      this.#resize();
    }
  }

  /** The table turns on a little after it was let go. */
  #glide(now: number): boolean {
    const fling = this.#fling;
    if (!fling) return false;
    const took = Math.min(now - fling.at, 60);
    const { azimuth } = this.#rig.look;
    this.#rig.go({ azimuth: azimuth - fling.x * took * 0.32, elevation: this.#rig.elevation + fling.y * took * 0.24 }, now, 0);
    const slower = Math.exp(-took / 160);
    this.#fling = Math.hypot(fling.x, fling.y) * slower < 0.02 ? null : { x: fling.x * slower, y: fling.y * slower, at: now };
    return this.#fling !== null;
  }

  /** Pieces that are gone rise and fade. */
  #leave(now: number): boolean {
    for (const [piece, began] of this.#leaving) {
      if (began < 0) this.#leaving.set(piece, now);
      const share = began < 0 ? 0 : Math.min((now - began) / LEAVING_MS, 1);
      piece.lift = 60 * share * share;
      piece.goHome();
      piece.fade(1 - share);
      if (share < 1) continue;
      piece.dispose();
      this.#leaving.delete(piece);
    }
    if (this.#leaving.size) this.#renderer.shadowMap.needsUpdate = true;
    return this.#leaving.size > 0;
  }

  /** Picked pieces rise a little, others sink back. */
  #lift(stage: Stage): boolean {
    const isCalm = this.#state?.isCalm ?? true;
    let isMoving = false;
    for (const stand of stage.stands.values()) {
      if (stand.seat === this.#playing?.playback.shot.seat) continue;
      for (const piece of stand.pieces.values()) {
        const left = piece.wanted - piece.lift;
        if (!left) continue;
        piece.lift = isCalm || Math.abs(left) < 0.3 ? piece.wanted : piece.lift + left * 0.3;
        piece.goHome();
        this.#renderer.shadowMap.needsUpdate = true;
        isMoving ||= piece.lift !== piece.wanted;
      }
    }
    return isMoving;
  }

  /** The motion that plays; it begins when the camera has arrived. */
  #move(now: number): boolean {
    const playing = this.#playing;
    if (!playing) return false;
    if (!playing.isRunning && this.#rig.isMoving) return true;
    playing.isRunning = true;
    this.#renderer.shadowMap.needsUpdate = true;
    if (playing.playback.step(now)) return true;
    this.#finish();
    return this.#rig.isMoving;
  }

  #render(stage: Stage): void {
    const { camera } = this.#rig;
    stage.widen(camera, (2 * Math.tan(MathUtils.degToRad(camera.fov / 2))) / this.#height);
    this.#overlay.placePlates((id) => this.#anchor(stage, id));
    this.#renderer.autoClear = true;
    this.#renderer.render(stage.space, camera);
    this.#renderer.autoClear = false;
    this.#renderer.clearDepth();
    this.#renderer.render(this.#overlay.space, this.#overlay.camera);
  }

  /** Where a plate stands: below the pieces of somebody near, beside one's own, above those of somebody far. */
  #anchor(stage: Stage, id: string): Anchor | null {
    const zoomed = this.#rig.look.seat;
    if (id === STOCK) return zoomed === null ? { ...this.#project(new Vector3(32, stage.stockAway, 0)), right: 1, up: 0 } : null;
    const place = stage.ring.places.get(Number(id));
    if (!place || (zoomed !== null && zoomed !== place.seat)) return null;
    const corners = stage.corners(place).map((at) => this.#project(at));
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    const middle = (Math.min(...xs) + Math.max(...xs)) / 2;
    const { position } = this.#rig.camera;
    const facing = Math.cos(place.angle - Math.atan2(position.y, position.x));
    if (facing < 0.35 || zoomed !== null) return { x: middle, y: Math.min(...ys) - 3, right: 0, up: 1 };
    if (place.seat !== stage.nearest) return { x: middle, y: Math.max(...ys) + 3, right: 0, up: -1 };
    const cards = this.#project(stage.cardsLeft(place));
    return { x: Math.min(cards.x, Math.min(...xs) + 12) - 6, y: Math.max(cards.y, ...ys), right: -1, up: 1 };
  }

  #project(at: Vector3): { x: number; y: number } {
    const { x, y } = at.project(this.#rig.camera);
    return { x: ((x + 1) / 2) * this.#width, y: ((1 - y) / 2) * this.#height };
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    [this.#width, this.#height] = [Math.max(clientWidth, 1), Math.max(clientHeight, 1)];
    this.#renderer.setSize(this.#width, this.#height, false);
    this.#sharpen(false);
    this.#overlay.resize(this.#width, this.#height);
    // Drawn at once: a canvas whose size was set is empty until then.
    this.#put();
    if (this.#stage) {
      this.#rig.step(performance.now());
      this.#render(this.#stage);
    }
  }

  /** A slow machine draws motion with fewer pixels; what stands still is drawn once with all that writing needs. */
  #sharpen(isMoving: boolean): void {
    const { density } = this.#quality.now;
    const ratio = Math.min(window.devicePixelRatio || 1, isMoving ? density : Math.max(density, 1));
    if (ratio !== this.#renderer.getPixelRatio()) this.#renderer.setPixelRatio(ratio);
  }

  #makeRoom(): void {
    const isSmall = Math.min(this.#width, this.#height) < 480;
    const [top, bottom] = [isSmall ? 44 : 62, this.#overlay.handHeight + 6];
    this.#rig.room = { width: this.#width, height: this.#height, top, bottom, side: 6 };
  }

  #fail(why: string): void {
    if (this.#isOver) return;
    this.close();
    this.events.fail(why);
  }

  #clear(): void {
    for (const piece of this.#leaving.keys()) piece.dispose();
    this.#leaving.clear();
    this.#stage?.dispose();
    this.#stage = null;
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    cancelAnimationFrame(this.#frame);
    this.#abandon();
    this.#ending.abort();
    this.#watch.disconnect();
    this.#gestures.close();
    this.#clear();
    this.#overlay.dispose();
    this.#renderer.dispose();
    // Browsers allow few contexts at once and free them late: it is given back now.
    if (!this.#renderer.getContext().isContextLost()) this.#renderer.forceContextLoss();
  }
}
