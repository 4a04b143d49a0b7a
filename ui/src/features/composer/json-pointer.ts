// Values at a JSON pointer (RFC 6901), without changing what is around them.

type Json = Record<string, unknown>;

const NUMBER = /^(0|[1-9]\d{0,5})$/;

function steps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function valueAt(root: unknown, pointer: string): unknown {
  return steps(pointer).reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, step) ? (value as Json)[step] : undefined,
    root,
  );
}

/** `root` with `value` at the pointer. Lists and objects that are missing on the way there come to be. */
export function withValueAt<T>(root: T, pointer: string, value: unknown): T {
  const put = (at: unknown, [step, ...rest]: string[]): unknown => {
    if (step === undefined) return value;
    if (Array.isArray(at) || (typeof at !== "object" && NUMBER.test(step)) || at === null) {
      const list = Array.isArray(at) ? [...at] : [];
      const index = Number(step);
      // Missing entries of a list of samples are empty.
      while (list.length < index) list.push("");
      list[index] = put(list[index], rest);
      return list;
    }
    const object = typeof at === "object" ? (at as Json) : {};
    return { ...object, [step]: put(object[step], rest) };
  };
  return put(root, steps(pointer)) as T;
}
