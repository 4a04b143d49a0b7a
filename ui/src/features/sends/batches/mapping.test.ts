import { expect, it } from "vitest";
import { keepMapping } from "./mapping";

it("keeps of a mapping what another file has the columns for, and what is the same for everyone", () => {
  const before = {
    to: "Phone",
    name: "Name",
    mapped: {
      "body.1": { kind: "column", column: "Name" },
      "body.2": { kind: "column", column: "Gone" },
      "body.3": { kind: "fixed", value: "10%" },
    },
  } as const;
  expect(keepMapping(before, ["Name", "Mobile"])).toEqual({
    kept: {
      to: "",
      name: "Name",
      mapped: { "body.1": { kind: "column", column: "Name" }, "body.3": { kind: "fixed", value: "10%" } },
    },
    gone: { "body.2": { kind: "column", column: "Gone" } },
  });
});
