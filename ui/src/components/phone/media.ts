/** A local file that is shown in a header. */
export interface Media {
  name?: string | undefined;
  /** Bytes. */
  size?: number | undefined;
  durationMs?: number | null | undefined;
  /** A data URL; only pictures have one. */
  thumbnail?: string | null | undefined;
}
