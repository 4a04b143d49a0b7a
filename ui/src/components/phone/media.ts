/** A file at hand that stands in a header. */
export interface Media {
  name?: string | undefined;
  /** A data URL. */
  thumbnail?: string | null | undefined;
}
