import { describe, expect, it } from "vitest";
import {
  cleanFilter,
  holdsFilter,
  readFilter,
  readLastSent,
  type TemplateFilter,
  templateQuery,
  valuesOf,
  writeFilter,
  writeLastSent,
  writeValues,
} from "./template-filter";

describe("the text of a filter", () => {
  const TABLE: [text: string, filter: TemplateFilter, written?: string][] = [
    ["", {}],
    ["sale", { q: "sale" }],
    ["black friday", { q: "black friday" }, '"black friday"'],
    ['"black friday"', { q: "black friday" }],
    ['status:REJECTED,PAUSED "black friday"', { status: "REJECTED,PAUSED", q: "black friday" }],
    ["STATUS:REJECTED", { status: "REJECTED" }, "status:REJECTED"],
    ["sale language:pt_BR 2026", { q: "sale 2026", language: "pt_BR" }, 'language:pt_BR "sale 2026"'],
    ["status:A,,B,A", { status: "A,B" }, "status:A,B"],
    ["quality:?,RED", { quality: "?,RED" }],
    ['status:"IN REVIEW","a,b"', { status: '"IN REVIEW","a,b"' }],
    [
      "carousel:YES changed:no samples:no archived:all",
      {
        carousel: "yes",
        changed: "no",
        samples: "no",
        archived: "all",
      },
      "carousel:yes changed:no samples:no archived:all",
    ],
    ["sent:never", { sent: "never" }],
    ["sent:>90d", { sent: ">90d" }],
    ["sent:30D", { sent: "30d" }, "sent:30d"],
    ["incomplete:yes sort:name", { incomplete: "yes", sort: "name" }],
    // What no filter has stays to be searched for, as it was typed.
    ["carousel:maybe", { q: "carousel:maybe" }, '"carousel:maybe"'],
    ["sent:soon", { q: "sent:soon" }, '"sent:soon"'],
    ["status:", { q: "status:" }, '"status:"'],
    ["https://shop.example", { q: "https://shop.example" }, '"https://shop.example"'],
    ['"status:PAUSED"', { q: "status:PAUSED" }],
    ['say \\"hi', { q: "say \\hi" }, '"say \\\\hi"'],
    ['"open', { q: "open" }, "open"],
    ["__proto__:yes constructor:yes", { q: "__proto__:yes constructor:yes" }, '"__proto__:yes constructor:yes"'],
  ];
  it.each(TABLE)("%j is read and written", (text, filter, written = text) => {
    expect(readFilter(text)).toEqual(filter);
    expect(writeFilter(filter)).toBe(written);
    expect(readFilter(written)).toEqual(filter);
  });

  it("survives the address with any values", () => {
    const signs = ["a", "B", " ", ",", '"', "\\", ":", "?", "é", "🌞", "\t", ">", "status:x"];
    // A plain generator of numbers, so that a failure can be repeated.
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const word = (least: number) => Array.from({ length: least + next(5) }, () => signs[next(signs.length)]).join("");
    for (let round = 0; round < 3_000; round += 1) {
      const statuses = [...new Set(Array.from({ length: next(4) }, () => word(0)))];
      const headers = [...new Set(Array.from({ length: next(3) }, () => word(1)))];
      const filter = cleanFilter({
        q: word(0),
        status: writeValues(statuses),
        header: writeValues(headers),
        carousel: ["", "yes", "no"][next(3)],
        sent: ["", "never", "30d", ">7d"][next(4)],
      });
      const text = writeFilter(filter);
      expect(readFilter(text), text).toEqual(filter);
      expect(valuesOf(filter.status), text).toEqual(statuses);
      expect(valuesOf(filter.header), text).toEqual(headers);
    }
  });

  it.each([
    ["black friday", false],
    ["status:PAUSED", true],
    ["status:", false],
    ["note: bring it", false],
    ["sale sent:never", true],
  ])("%j holds filters: %s", (text, holds) => expect(holdsFilter(text)).toBe(holds));
});

describe("the time of the last send", () => {
  it.each([
    ["never", { notFor: 0 }],
    ["1d", { within: 1 }],
    [">365d", { notFor: 365 }],
  ])("%s is read and written", (text, sent) => {
    expect(readLastSent(text)).toEqual(sent);
    expect(writeLastSent(sent as { within: number })).toBe(text);
  });
  it.each(["", "0d", "30", "-3d", ">d", "99999d"])("%j is none", (text) => {
    expect(readLastSent(text)).toBeUndefined();
  });
});

it("becomes a question to the host", () => {
  expect(templateQuery("w", {})).toEqual({
    workspace: "w",
    search: null,
    statuses: [],
    categories: [],
    languages: [],
    wabas: [],
    businesses: [],
    kinds: [],
    qualities: [],
    headers: [],
    carousel: null,
    categoryChanged: null,
    samples: null,
    overdue: null,
    atRisk: null,
    sentWithinDays: null,
    notSentForDays: null,
    archived: false,
    sort: "newest",
  });
  const filter = readFilter(
    "sale status:PAUSED,? type:cloud_api header:IMAGE,NONE waba:1 business:2 carousel:no changed:yes samples:no overdue:yes sent:never archived:only sort:name",
  );
  expect(templateQuery("w", filter)).toMatchObject({
    search: "sale",
    statuses: ["PAUSED", ""],
    kinds: ["cloud_api"],
    headers: ["IMAGE", "NONE"],
    wabas: ["1"],
    businesses: ["2"],
    carousel: false,
    categoryChanged: true,
    samples: false,
    overdue: true,
    sentWithinDays: null,
    notSentForDays: 0,
    archived: true,
    sort: "name",
  });
  expect(templateQuery("w", { sent: "30d", archived: "all" })).toMatchObject({ sentWithinDays: 30, archived: null });
  expect(templateQuery("w", { sent: ">30d" })).toMatchObject({ sentWithinDays: null, notSentForDays: 30 });
});
