import type { DeskFailure } from "@/lib/ipc/errors";

/** The words of a refusal at the field they are about. Its path may come in the sandbox's own spelling, as `/delivery/delay_ms`. */
export function placed(failure: DeskFailure | null, field: string): string | undefined {
  const error = failure?.error;
  if (error?.code !== "invalidInput") return undefined;
  const last = error.field.split(/[/.]/).at(-1) ?? "";
  const name = last.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return name === field ? error.message : undefined;
}
