/** What a number field accepts. */
export interface NumberRules {
  min: number;
  max: number;
  /** Most digits after the decimal separator; 0 for whole numbers, which is the default. */
  decimals?: number;
}

/** The number that a text is: `undefined` if it is empty, `NaN` if it is no number that the rules accept. */
export function readNumber(
  text: string,
  { min, max, decimals = 0 }: NumberRules,
  separator: string,
): number | undefined {
  const digits = text.trim();
  if (digits === "") return undefined;
  const [whole = "", fraction, ...others] = digits.split(separator);
  const hasForm =
    /^\d+$/.test(whole) &&
    (fraction === undefined || (/^\d+$/.test(fraction) && fraction.length <= decimals)) &&
    others.length === 0;
  const value = hasForm ? Number(fraction === undefined ? whole : `${whole}.${fraction}`) : Number.NaN;
  // Larger numbers are not exact: another number would be meant.
  const isExact = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return isExact && value >= min && value <= max ? value : Number.NaN;
}

/** A number as it is typed. */
export function numberText(value: number | undefined, separator: string): string {
  return value === undefined || Number.isNaN(value) ? "" : String(value).replace(".", separator);
}

/** Whether a value of a form, or a part of it, is the `NaN` of a number field with an error. */
export function hasInvalidNumber(value: unknown): boolean {
  if (typeof value === "number") return Number.isNaN(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasInvalidNumber);
}
