// The finger that pushes, and the arrow of an aim.

import { CapsuleGeometry, Group, Mesh, MeshBasicMaterial, MeshStandardMaterial, type Object3D, Vector3 } from "three";

import type { Aiming, Solid } from "../wire.gen";
import { share, touchOf } from "./aim";
import type { Aim } from "./contract";
import { arrow } from "./shapes";

/** The radius of a fingertip, as docs/motion.md has it. */
const TIP = 7;
const LONG = 92;
/** How far a finger rises backwards: nearly level, else one would look at it from its end. */
const RAISED = 0.1;
const BACKWARDS = new Vector3(0, 1, 0);

export class Finger {
  readonly group = new Group();
  readonly #body: Mesh<CapsuleGeometry, MeshStandardMaterial>;
  readonly #nail: Mesh<CapsuleGeometry, MeshStandardMaterial>;
  readonly #arrow: Mesh<ReturnType<typeof arrow>, MeshBasicMaterial>;
  #length = 0;

  constructor(isDark: boolean) {
    const skin = new MeshStandardMaterial({ color: isDark ? "#c99a78" : "#e2b08d", roughness: 0.75 });
    this.#body = new Mesh(new CapsuleGeometry(TIP, LONG, 8, 20).translate(0, LONG / 2, 0), skin);
    this.#body.castShadow = true;
    const pale = new MeshStandardMaterial({ color: isDark ? "#e6c3aa" : "#f6d9c6", roughness: 0.35 });
    this.#nail = new Mesh(new CapsuleGeometry(TIP * 0.62, 5, 6, 14).scale(1, 1, 0.45).translate(0, 4, TIP * 0.78), pale);
    this.#body.add(this.#nail);
    const teal = new MeshBasicMaterial({ color: isDark ? "#6fdccb" : "#146458", transparent: true, opacity: 0.88, depthTest: false });
    this.#arrow = new Mesh(arrow(1, 1), teal);
    this.#arrow.renderOrder = 20;
    this.group.add(this.#body, this.#arrow);
    this.group.visible = false;
    this.group.traverse((one) => (one.raycast = () => undefined));
  }

  hide(): void {
    this.group.visible = false;
  }

  /** Shows an aim at a piece whose foot's middle is `foot`, in the group of its place. */
  aim(parent: Object3D, foot: Vector3, aim: Aim, aiming: Aiming, solid: Solid): void {
    const { touch, ahead } = touchOf(aim, solid);
    const strength = share(aim, aiming.strength);
    const at = new Vector3(...touch).add(foot);
    const away = TIP + 3 + 48 * strength;
    this.#point(parent, [at.x - ahead[0] * away, at.y - ahead[1] * away, Math.max(at.z, TIP + 0.5)], ahead);
    this.#arrow.visible = true;
    this.#arrow.position.copy(at);
    this.#arrow.rotation.set(0, 0, Math.atan2(-ahead[0], ahead[1]));
    const length = Math.round(28 + 122 * strength);
    if (length !== this.#length) {
      this.#length = length;
      this.#arrow.geometry.dispose();
      this.#arrow.geometry = arrow(length, 13);
    }
  }

  /** Shows the finger of a motion with its middle at a point, pushing that way. */
  push(parent: Object3D, at: readonly [number, number, number], ahead: readonly [number, number]): void {
    this.#point(parent, at, ahead);
    this.#arrow.visible = false;
  }

  #point(parent: Object3D, at: readonly number[], ahead: readonly [number, number]): void {
    if (this.group.parent !== parent) parent.add(this.group);
    this.group.visible = true;
    this.#body.position.set(at[0]!, at[1]!, at[2]!);
    const back = new Vector3(-ahead[0], -ahead[1], RAISED).normalize();
    this.#body.quaternion.setFromUnitVectors(BACKWARDS, back);
    // The nail is on top, whichever way the finger points.
    const up = new Vector3(0, 0, 1).applyQuaternion(this.#body.quaternion.clone().invert());
    this.#body.rotateY(Math.atan2(up.x, up.z));
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const one of [this.#body, this.#nail, this.#arrow]) {
      one.geometry.dispose();
      one.material.dispose();
    }
  }
}
