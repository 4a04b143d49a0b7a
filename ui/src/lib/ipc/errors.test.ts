import { createFakeHost } from "@test/fake-host";
import { describe, expect, it } from "vitest";
import type { DeskError } from "@/bindings/app";
import { call, connectHost } from "./client";
import { DeskFailure, toFailure } from "./errors";

describe("rejections", () => {
  it("keeps the error a command rejects with", () => {
    const error: DeskError = { code: "offline", reason: "connection refused" };
    expect(toFailure(error).error).toBe(error);
    expect(toFailure(error).code).toBe("offline");
  });

  it.each([
    ["a bare string of the framework", "Command nope not found", "Command nope not found"],
    ["an Error", new TypeError("boom"), "boom"],
    ["an object of another make", { code: "somethingElse", x: 1 }, '{"code":"somethingElse","x":1}'],
    ["a code inherited from Object", { code: "toString" }, '{"code":"toString"}'],
    ["nothing at all", undefined, "undefined"],
  ])("makes an internal error of %s", (_, reason, message) => {
    expect(toFailure(reason).error).toEqual({ code: "internal", message });
  });

  it("survives what cannot be written as JSON", () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    expect(toFailure(loop).code).toBe("internal");
  });

  it("does not wrap twice", () => {
    const failure = new DeskFailure({ code: "cancelled" });
    expect(toFailure(failure)).toBe(failure);
  });

  it("reaches every caller of a command", async () => {
    const host = createFakeHost();
    host.answer("get_bootstrap", () => Promise.reject("not allowed by ACL"));
    connectHost(host);
    await expect(call("get_bootstrap", {})).rejects.toMatchObject({
      name: "DeskFailure",
      error: { code: "internal", message: "not allowed by ACL" },
    });
  });
});
