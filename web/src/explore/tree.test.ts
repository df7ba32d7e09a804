import { describe, expect, it } from "vitest";
import { fromFile, ROOT, Tree } from "./tree";
import { added, moved, removed } from "./setup";

const grown = () => {
  const tree = new Tree({ game: "some", seats: 2, options: { starter: "red" }, position: "" });
  const a = tree.add(ROOT, "A:1-2");
  const b = tree.add(a, "B:9-8");
  const other = tree.add(a, "B:9-7");
  const deep = tree.add(other, "A:2-3");
  return { tree, a, b, other, deep };
};

describe("a tree of variations", () => {
  it("does not try the same move twice, and knows lines and paths", () => {
    const { tree, a, b, deep } = grown();
    expect(tree.add(a, "B:9-8")).toBe(b);
    expect(tree.size).toBe(4);
    expect(tree.line(ROOT).map((node) => node.text)).toEqual(["A:1-2", "B:9-8"]);
    expect(tree.path(deep).map((node) => node.text)).toEqual(["A:1-2", "B:9-7", "A:2-3"]);
    expect(tree.find(["A:1-2", "B:9-7"])).toBe(tree.node(deep)?.parent);
    expect(tree.find(["A:1-3"])).toBeUndefined();
  });

  it("makes a variation the main line, and takes one out with all that follows", () => {
    const { tree, deep, other } = grown();
    expect(tree.isMain(deep)).toBe(false);
    tree.promote(deep);
    expect(tree.isMain(deep)).toBe(true);
    expect(tree.line(ROOT).map((node) => node.text)).toEqual(["A:1-2", "B:9-7", "A:2-3"]);
    tree.remove(other);
    expect(tree.node(deep)).toBeUndefined();
    expect(tree.line(ROOT).map((node) => node.text)).toEqual(["A:1-2", "B:9-8"]);
  });

  it("comes back from its file with main lines first, and from nonsense not at all", () => {
    const { tree, deep } = grown();
    tree.promote(deep);
    tree.comment(deep, " a {very}  fine move ");
    const again = fromFile(JSON.parse(JSON.stringify(tree.toFile())));
    expect(again?.toFile()).toEqual(tree.toFile());
    expect(again?.line(ROOT).at(-1)?.comment).toBe("a very fine move");
    for (const bad of [null, 3, {}, { tree: 1 }, { tree: 1, game: "a", seats: 2, moves: [["x"]] }]) expect(fromFile(bad)).toBeNull();
  });

  it("writes its main line as a record", () => {
    const { tree, a } = grown();
    tree.comment(a, "why not");
    expect(tree.toRecord()).toBe('[Game "some"]\n[Seats "2"]\n[Option "starter=red"]\n\nA:1-2 {why not}\nB:9-8\n= *\n');
  });
});

describe("setting up", () => {
  const flat = { spot: "1", x: 0, y: 0, name: ["x"] as [string], shape: "square" as const };
  const hollow = { ...flat, spot: "h", shape: "hollow" as const };
  const red = { kind: "cup" as const, tint: "red" };

  it("stacks on flat places, and puts one piece for another elsewhere", () => {
    let pieces = added(added([], flat, red), flat, { ...red, tint: "yellow" });
    expect(pieces.map((piece) => [piece.tint, piece.level])).toEqual([["red", 0], ["yellow", 1]]);
    pieces = moved(pieces, "1", hollow);
    expect(pieces.find((piece) => piece.spot === "h")).toMatchObject({ tint: "yellow", level: 0 });
    pieces = moved(pieces, "1", hollow);
    expect(pieces).toHaveLength(1);
    expect(pieces[0]).toMatchObject({ spot: "h", tint: "red" });
    expect(removed(pieces, "h")).toEqual([]);
  });
});
