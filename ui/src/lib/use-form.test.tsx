import { act, renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { DeskError } from "@/bindings/app";
import { useForm } from "./use-form";

const STORED = { name: "Ana", note: "" };
const refused: DeskError = { code: "invalidInput", field: "name", message: "Too long" };

it("keeps typed values when the host refuses them, and shows the error at its field", () => {
  const onChange = vi.fn();
  const { result, rerender } = renderHook(
    ({ errors }: { errors: DeskError[] }) => useForm({ initial: STORED, errors, fields: ["name"], onChange }),
    { initialProps: { errors: [] as DeskError[] } },
  );
  act(() => result.current.change({ name: "Ana Maria" }));
  expect(result.current.isDirty).toBe(true);

  rerender({ errors: [refused] });
  expect(result.current.values).toEqual({ name: "Ana Maria", note: "" });
  expect(result.current.errorOf("name")).toBe("Too long");
  expect(result.current.needsNotice(refused)).toBe(false);

  onChange.mockClear();
  act(() => result.current.change({ name: "Ana" }));
  expect(onChange).toHaveBeenCalledOnce();
  expect(result.current.isDirty).toBe(false);
});

it("leaves errors that no field shows to a notice, also while the person types", () => {
  const onChange = vi.fn();
  const offline: DeskError = { code: "offline", reason: "No route" };
  const elsewhere: DeskError = { code: "invalidInput", field: "channel", message: "Unknown" };
  const { result } = renderHook(() =>
    useForm({ initial: STORED, errors: [offline, elsewhere], fields: ["name"], onChange }),
  );
  expect(result.current.needsNotice(offline)).toBe(true);
  expect(result.current.needsNotice(elsewhere)).toBe(true);
  act(() => result.current.change({ name: "Bo" }));
  expect(onChange).not.toHaveBeenCalled();
});

it("resumes an unsaved draft until it is reset", () => {
  const options = { initial: STORED, unfinished: { workspace: "sandbox", form: "test" } };
  const first = renderHook(() => useForm(options));
  act(() => first.result.current.change({ note: "Later" }));
  first.unmount();

  const second = renderHook(() => useForm(options));
  expect(second.result.current.isResumed).toBe(true);
  expect(second.result.current.values.note).toBe("Later");
  act(() => second.result.current.reset());
  expect(second.result.current.values).toEqual(STORED);
  second.unmount();

  expect(renderHook(() => useForm(options)).result.current.isResumed).toBe(false);
});

it("keeps what was typed while the values before were saved", () => {
  const { result } = renderHook(() => useForm({ initial: STORED }));
  act(() => result.current.change({ name: "Bo", note: "Later" }));
  const sent = result.current.values;
  act(() => result.current.change({ note: "Tomorrow" }));
  act(() => result.current.saved(sent, { name: "Bo", note: "Later" }));
  expect(result.current.values).toEqual({ name: "Bo", note: "Tomorrow" });
  expect(result.current.isDirty).toBe(true);
  act(() => result.current.saved(result.current.values, result.current.values));
  expect(result.current.isDirty).toBe(false);
});
