// The shapes of things in space: millimetres, z up, each piece with the middle of its foot at (0, 0, 0).

import { BufferGeometry, CylinderGeometry, Float32BufferAttribute, Path, Shape, ShapeGeometry } from "three";

import type { Solid } from "../wire.gen";
import { SKIN } from "./faces";

const AROUND = 40;

/** One stretch of a profile that is turned about z: radii, heights, how light it is at both ends, and what is on it. */
type Stretch = [r0: number, z0: number, r1: number, z1: number, light0: number, light1: number, skin?: "wall" | "end"];

/** A hollow truncated cone with its open end down: thick at the rim, closed above. */
export function hollowCone({ foot, top, height }: Solid): BufferGeometry {
  const [wall, lip, edge] = [1.5, 3.4, 1.4];
  return turned(
    [
      [0, height - wall, top - wall, height - wall, 0.4, 0.4],
      [top - wall, height - wall, foot - wall, 0, 0.42, 0.62],
      [foot - wall, 0, foot, 0, 0.62, 0.62],
      [foot, 0, foot, lip, 0.8, 1],
      [foot, lip, foot - 1, lip + 0.5, 1.1, 0.9],
      [foot - 1, lip + 0.5, top, height - edge, 0.88, 1, "wall"],
      [top, height - edge, top - edge, height, 1.12, 1.12],
      [top - edge, height, 0, height, 1, 1, "end"],
    ],
    { foot, top, height },
  );
}

function turned(stretches: readonly Stretch[], { top, height }: Pick<Solid, "foot" | "top" | "height">): BufferGeometry {
  const [places, normals, uvs, colours]: number[][] = [[], [], [], []];
  const corners: number[] = [];
  const full = SKIN.wall + SKIN.end;
  for (const [r0, z0, r1, z1, light0, light1, on] of stretches) {
    const first = places!.length / 3;
    const size = Math.hypot(r1 - r0, z1 - z0);
    const [out, up] = [(z1 - z0) / size, -(r1 - r0) / size];
    for (let i = 0; i <= AROUND; i++) {
      const angle = (2 * Math.PI * i) / AROUND - Math.PI;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      for (const [r, z, light] of [
        [r0, z0, light0],
        [r1, z1, light1],
      ] as const) {
        places!.push(r * cos, r * sin, z);
        normals!.push(out * cos, out * sin, up);
        colours!.push(light, light, light);
        if (on === "wall") uvs!.push(i / AROUND, 1 - (SKIN.wall / full) * (1 - z / height));
        else if (on === "end") {
          const spread = (SKIN.end / 2 - 6) / top;
          uvs!.push((SKIN.end / 2 + r * cos * spread) / SKIN.width, (SKIN.end / 2 + r * sin * spread) / full);
        } else uvs!.push(0.9, 0.1);
      }
      const at = first + 2 * i;
      if (i < AROUND) corners.push(at, at + 2, at + 1, at + 1, at + 2, at + 3);
    }
  }
  const made = new BufferGeometry();
  made.setAttribute("position", new Float32BufferAttribute(places!, 3));
  made.setAttribute("normal", new Float32BufferAttribute(normals!, 3));
  made.setAttribute("uv", new Float32BufferAttribute(uvs!, 2));
  made.setAttribute("color", new Float32BufferAttribute(colours!, 3));
  made.setIndex(corners);
  return made;
}

/** The outside of a piece, for the rim around it: its middle is at (0, 0, 0), so that it grows evenly. */
export function hull({ foot, top, height }: Solid): BufferGeometry {
  return new CylinderGeometry(top, foot, height, 28).rotateX(Math.PI / 2);
}

/** A rectangle with round corners, its picture spread over all of it. */
export function roundedCard(width: number, height: number, corner: number): BufferGeometry {
  const [x, y] = [width / 2, height / 2];
  const shape = new Shape();
  shape.moveTo(-x + corner, -y);
  shape.lineTo(x - corner, -y).absarc(x - corner, -y + corner, corner, -Math.PI / 2, 0, false);
  shape.lineTo(x, y - corner).absarc(x - corner, y - corner, corner, 0, Math.PI / 2, false);
  shape.lineTo(-x + corner, y).absarc(-x + corner, y - corner, corner, Math.PI / 2, Math.PI, false);
  shape.lineTo(-x, -y + corner).absarc(-x + corner, -y + corner, corner, Math.PI, 1.5 * Math.PI, false);
  const made = new ShapeGeometry(shape, 5);
  const at = made.getAttribute("position");
  const uvs = Array.from({ length: at.count }, (_, i) => [at.getX(i) / width + 0.5, at.getY(i) / height + 0.5]).flat();
  made.setAttribute("uv", new Float32BufferAttribute(uvs, 2));
  return made;
}

/** An arrow along y from (0, 0), so long and so wide. */
export function arrow(length: number, wide: number): BufferGeometry {
  const head = Math.min(wide * 1.7, length * 0.6);
  const shape = new Shape();
  shape.moveTo(-wide * 0.18, 0).lineTo(-wide * 0.32, length - head).lineTo(-wide, length - head);
  shape.lineTo(0, length).lineTo(wide, length - head).lineTo(wide * 0.32, length - head).lineTo(wide * 0.18, 0);
  return new ShapeGeometry(shape);
}

/** Bent arrows that go round the middle, clockwise as seen from above (1) or the other way (-1). */
export function roundArrows(radius: number, wide: number, count: number, direction: number): BufferGeometry {
  const shapes = Array.from({ length: count }, (_, i) => {
    const start = (2 * Math.PI * i) / count;
    const [body, head] = [(2 * Math.PI * 0.62) / count, (wide * 1.7) / radius];
    const at = (r: number, turn: number): [number, number] => [r * Math.cos(start + turn), r * Math.sin(start + turn)];
    const shape = new Shape();
    shape.moveTo(...at(radius - wide / 2, 0));
    shape.absarc(0, 0, radius - wide / 2, start, start + body, false);
    shape.lineTo(...at(radius - wide * 1.2, body)).lineTo(...at(radius, body + head)).lineTo(...at(radius + wide * 1.2, body));
    shape.lineTo(...at(radius + wide / 2, body));
    shape.absarc(0, 0, radius + wide / 2, start + body, start, true);
    return shape;
  });
  const made = new ShapeGeometry(shapes, 24);
  // They are drawn counter-clockwise; mirrored they show their backs, which are drawn as well.
  return direction > 0 ? made.scale(-1, 1, 1) : made;
}

/** A flat ring, for a place where nothing stands. */
export function flatRing(inner: number, outer: number): BufferGeometry {
  const shape = new Shape().absarc(0, 0, outer, 0, 2 * Math.PI, false);
  shape.holes.push(new Path().absarc(0, 0, inner, 0, 2 * Math.PI, true));
  return new ShapeGeometry(shape, 20);
}
