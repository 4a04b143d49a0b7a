import { describe, expect, it } from "vitest";
import { rekey } from "./list-keys";

const [a, b, c] = [{ n: 1 }, { n: 2 }, { n: 3 }];
const start = () => rekey({ items: [], keys: [] }, [a, b, c]);

describe("keys of a list", () => {
  it("follow an item that moves", () => {
    const before = start();
    const [one, two, three] = before.keys;
    expect(rekey(before, [c, a, b]).keys).toEqual([three, one, two]);
  });

  it("stay the same while an item is replaced", () => {
    const before = start();
    expect(rekey(before, [a, { n: 9 }, c]).keys).toBe(before.keys);
  });

  it("go with what is removed and are new for what is added", () => {
    const before = start();
    const [one, , three] = before.keys;
    expect(rekey(before, [a, c]).keys).toEqual([one, three]);
    const grown = rekey(before, [a, { n: 9 }, b, c]).keys;
    expect(new Set(grown).size).toBe(4);
    expect([grown[0], grown[2], grown[3]]).toEqual(before.keys);
  });

  it("are never given twice, even where an item is there twice", () => {
    const keys = rekey(start(), [a, a, b, b]).keys;
    expect(new Set(keys).size).toBe(4);
  });
});
