// The three-dimensional view: ties the table, the camera, the pointer and motions together. contract.ts says what for.

import { MathUtils, type Vector3, WebGLRenderer } from "three";

import { lettered } from "../lib/messages";
import { anchorOf, platesOf } from "./anchors";
import type { OpenSolidView, Shot, SolidEvents, SolidState, SolidView } from "./contract";
import { Gestures } from "./gestures";
import { Overlay } from "./overlay";
import { Playback } from "./playback";
import { type Pointable, Pointing } from "./pointing";
import { paceOf, Quality } from "./quality";
import { type Look, Rig, WHOLE } from "./rig";
import { Settling } from "./settling";
import { Stage } from "./stage";

const CAMERA_MS = 550;

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
  readonly #pointing: Pointing;
  readonly #rig = new Rig((seat) => this.#stage?.points(seat) ?? []);
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
  readonly #settling = new Settling();
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
    this.#pointing = new Pointing(canvas, events, this.#rig, this.#overlay, this.#pointable());
    this.#gestures = new Gestures(canvas, this.#pointing);
    this.#resize();
  }

  /** What the pointer may know of the view. */
  #pointable(): Pointable {
    const view = this;
    return {
      get stage() {
        return view.#stage;
      },
      get state() {
        return view.#state;
      },
      get isPlaying() {
        return view.#playing !== null;
      },
      get size() {
        return { width: view.#width, height: view.#height };
      },
      project: (at) => view.#project(at),
      looked: () => ((view.#home = null), view.#draw()),
      aimed: () => view.#showAim(),
    };
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

  /** Whose pieces are where a motion has them. */
  get #kept(): number | null {
    return this.#playing?.playback.shot.seat ?? this.#waits;
  }

  /** Shows the state, except for pieces that a motion moves. */
  #put(): void {
    const [stage, state] = [this.#stage, this.#state];
    if (!stage || !state) return;
    this.#settling.leave(stage.show(state, this.#kept), state.isCalm);
    const hand = state.scene.parts.find((part) => part.role === "hand" && part.owner === state.seat) ?? null;
    const tints = new Map((state.scene.tints ?? []).map((tint) => [tint.name, lettered(tint)]));
    this.#overlay.setHand(hand, stage.cards, tints, stage.rimOf);
    this.#overlay.setPlates(platesOf(state, tints), state.isDark);
    this.#makeRoom();
    if (!state.aiming) this.#pointing.cancel();
    this.#showAim();
    this.#change();
  }

  play(shot: Shot): Promise<void> {
    this.#finish();
    const stage = this.#stage;
    const stand = this.#isOver || document.hidden ? null : (stage?.rewind(shot.before, shot.seat) ?? null);
    if (!stage || !stand) return Promise.resolve();
    this.#pointing.cancel();
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
    [this.#playing, this.#home] = [null, null];
    this.#pointing.forget();
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
    this.#pointing.still();
    this.#rig.go(look, performance.now(), this.#state?.isCalm ? 0 : takes);
    this.#draw();
  }

  #showAim(): void {
    const [stage, state] = [this.#stage, this.#state];
    if (!stage || !state || this.#playing) return;
    const aim = this.#pointing.isPulling ? this.#pointing.aim : state.aim;
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
    const parts = [this.#pointing.glide(time), this.#rig.step(time), this.#settle(stage, time), this.#move(time)];
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

  #settle(stage: Stage, now: number): boolean {
    const { hasMoved, goesOn } = this.#settling.step(stage, now, this.#state?.isCalm ?? true, this.#kept);
    if (hasMoved) this.#renderer.shadowMap.needsUpdate = true;
    return goesOn;
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
    this.#overlay.placePlates((id) => anchorOf(id, stage, this.#rig, (at) => this.#project(at)));
    this.#renderer.autoClear = true;
    this.#renderer.render(stage.space, camera);
    this.#renderer.autoClear = false;
    this.#renderer.clearDepth();
    this.#renderer.render(this.#overlay.space, this.#overlay.camera);
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
    this.#settling.clear();
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
