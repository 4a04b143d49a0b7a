// Local times as fields for date and time write them, such as `2026-11-20T14:30`.

const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** A local time in Unix milliseconds. Without hours it is the beginning of the day. */
export function readTime(text: string | undefined): number | undefined {
  const parts = TIME.exec(text?.trim() ?? "");
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const date = new Date(year, month - 1, day, hour, minute, second);
  const same = date.getMonth() === month - 1 && date.getDate() === day && date.getHours() === hour;
  return same && minute < 60 && second < 60 ? date.getTime() : undefined;
}

/** Unix milliseconds as a local time, on request with seconds if they are not zero. */
export function writeTime(at: number, { seconds = false } = {}): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
  return seconds && date.getSeconds() > 0 ? `${time}:${two(date.getSeconds())}` : time;
}
