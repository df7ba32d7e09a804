// The table itself: wood, the light on it, the arrows that say which way round one plays, and who acts.

import {
  CircleGeometry,
  Color,
  CylinderGeometry,
  DirectionalLight,
  DoubleSide,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PCFShadowMap,
  PlaneGeometry,
  type WebGLRenderer,
} from "three";

import { softSpot, wood } from "./faces";
import type { Place } from "./ring";
import { roundArrows } from "./shapes";

export const PAPER = { light: "#f6f1e7", dark: "#1d1b19" } as const;
const THICK = 26;

/** A round table of the given radius, and everything on it that does not stand. */
export class TableTop {
  readonly group = new Group();
  readonly light: DirectionalLight;
  readonly background: Color;
  readonly #lamp: Mesh<PlaneGeometry, MeshBasicMaterial>;
  #arrows: Mesh | null = null;
  #direction = 0;

  constructor(
    readonly radius: number,
    readonly isDark: boolean,
  ) {
    this.background = new Color(isDark ? PAPER.dark : PAPER.light);
    const picture = wood(isDark);
    const top = new Mesh(new CircleGeometry(radius, 96), new MeshLambertMaterial({ map: picture }));
    top.receiveShadow = true;
    const side = new Mesh(
      new CylinderGeometry(radius, radius - 5, THICK, 96, 1, true).rotateX(Math.PI / 2),
      new MeshLambertMaterial({ color: isDark ? "#4a3220" : "#b98d57" }),
    );
    side.position.z = -THICK / 2;
    // Where the board meets its edge a lighter line catches the light.
    const bevel = new Mesh(
      new CylinderGeometry(radius - 1.5, radius, 2, 96, 1, true).rotateX(Math.PI / 2),
      new MeshLambertMaterial({ color: isDark ? "#8a6a4c" : "#ecd9b6" }),
    );
    bevel.position.z = -0.6;
    const below = this.#soft(isDark ? "#000000" : "#6b4a20", isDark ? 0.75 : 0.34, 2.35 * radius);
    below.position.set(radius * 0.07, -radius * 0.05, -THICK * 3);
    this.#lamp = this.#soft(isDark ? "#ffd79a" : "#fff8e0", isDark ? 0.4 : 0.85, 1);
    this.#lamp.visible = false;
    this.light = this.#sun();
    const sky = new HemisphereLight(isDark ? "#fff0dd" : "#fffaf0", isDark ? "#8d7862" : "#e6d3b4", isDark ? 1.35 : 1.85);
    sky.position.set(0, 0, 1);
    this.group.add(top, side, bevel, below, this.#lamp, this.light, this.light.target, sky);
  }

  /** One light from the upper left of whoever sits nearest, a little before the pieces. */
  #sun(): DirectionalLight {
    const sun = new DirectionalLight("#fff4e2", this.isDark ? 1.7 : 1.95);
    sun.position.set(-0.62 * this.radius, -0.42 * this.radius, 1.3 * this.radius);
    const { shadow } = sun;
    shadow.mapSize.set(2048, 2048);
    shadow.radius = 3.2;
    // Without it round walls show stripes.
    shadow.normalBias = 1.1;
    shadow.bias = -0.0006;
    shadow.intensity = 0.62;
    const reach = this.radius * 1.02;
    Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 1, far: 4 * this.radius });
    return sun;
  }

  #soft(colour: string, strength: number, size: number): Mesh<PlaneGeometry, MeshBasicMaterial> {
    const material = new MeshBasicMaterial({ map: softSpot(colour, strength), transparent: true, depthWrite: false });
    const made = new Mesh(new PlaneGeometry(1, 1), material);
    made.scale.setScalar(size);
    return made;
  }

  /** Shadows on or off. */
  shade(renderer: WebGLRenderer, isOn: boolean): void {
    renderer.shadowMap.enabled = isOn;
    renderer.shadowMap.type = PCFShadowMap;
    renderer.shadowMap.autoUpdate = false;
    renderer.shadowMap.needsUpdate = true;
    this.light.castShadow = isOn;
    this.group.traverse((one) => {
      if (one instanceof Mesh && one.material instanceof MeshLambertMaterial) one.material.needsUpdate = true;
    });
  }

  /** Lights the place of whoever acts; null: nobody's. */
  lamp(place: Place | null, wide: number): void {
    this.#lamp.visible = place !== null;
    if (!place) return;
    this.#lamp.position.set(place.x, place.y, 0.25);
    this.#lamp.rotation.z = place.turn;
    this.#lamp.scale.set(wide * 1.65, wide * 1.2, 1);
  }

  /** Arrows round the middle, in the direction of play; 0: none. */
  turnWay(direction: number, radius: number, away: number): void {
    if (direction === this.#direction) return;
    this.#direction = direction;
    if (this.#arrows) drop(this.#arrows);
    this.#arrows = null;
    if (!direction) return;
    const ink = new MeshBasicMaterial({ color: this.isDark ? "#efe7da" : "#5b3f20", transparent: true, opacity: this.isDark ? 0.42 : 0.5, side: DoubleSide, depthWrite: false });
    this.#arrows = new Mesh(roundArrows(radius, 7, 3, direction), ink);
    this.#arrows.position.set(0, away, 0.3);
    this.group.add(this.#arrows);
  }

  dispose(): void {
    this.light.shadow.map?.dispose();
    this.light.dispose();
    this.group.traverse((one) => one instanceof Mesh && free(one));
    this.group.removeFromParent();
  }
}

/** Frees what a mesh alone uses. */
export function free(mesh: Mesh): void {
  mesh.geometry.dispose();
  for (const one of [mesh.material].flat() as MeshBasicMaterial[]) {
    one.map?.dispose();
    one.dispose();
  }
}

/** Takes a mesh off the table and frees what it alone uses. */
export function drop(mesh: Mesh): void {
  mesh.removeFromParent();
  free(mesh);
}
