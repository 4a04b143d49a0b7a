// JSON whose numbers keep every digit. A number that a double would change is an object with its text, in the same form
// in which the host sends it (`src-tauri/src/exact_numbers.rs`).

/** A number as it is written. */
interface ExactNumber {
  $number: string;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isExactNumber(value: unknown): value is ExactNumber {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 1) return false;
  const text = (value as Partial<ExactNumber>).$number;
  return typeof text === "string" && NUMBER.test(text) && !isSafe(text);
}

/** Whether a double prints this number as it is written. */
function isSafe(number: string): boolean {
  return JSON.stringify(Number(number)) === number;
}

// No text of a template holds it by chance.
const MARK = `number-${Math.random().toString(36).slice(2)}:`;
const MARKED = new RegExp(`"${MARK}([^"]*)"`, "g");

/** Like `JSON.stringify`. */
export function stringifyJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, (_, item) => (isExactNumber(item) ? MARK + item.$number : item), indent);
  return text.replace(MARKED, "$1");
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Like `JSON.parse`.
 *
 * @throws {SyntaxError} where the text is not JSON.
 */
export function parseJson(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  let changed = false;
  const exact = text.replace(STRING_OR_NUMBER, (token) => {
    if (token.startsWith('"') || isSafe(token)) return token;
    changed = true;
    return `{"$number":"${token}"}`;
  });
  return changed ? JSON.parse(exact) : plain;
}
