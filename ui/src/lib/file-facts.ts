import { byteSize } from "./bytes";

interface FileFacts {
  /** Bytes. */
  size: number;
  durationMs?: number | null | undefined;
}

/** Size of a file and duration of a video, such as "1.4 MB · 0:12". */
export function fileFacts({ size, durationMs }: FileFacts, language: string): string {
  const facts = [byteSize(size, language)];
  if (durationMs != null) facts.push(playTime(durationMs));
  return facts.join(" · ");
}

/** A duration as players show it, such as "0:12" or "1:02:03". A started second counts. */
function playTime(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const padded = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(rest)}` : `${minutes}:${padded(rest)}`;
}
