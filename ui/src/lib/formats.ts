// Formats of dates, numbers and names by language. Making one takes the engine longer than drawing the row that shows it,
// so each is made once.

export const dateFormat = cached(
  (language, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options),
);
export const numberFormat = cached(
  (language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options),
);
export const listFormat = cached((language, options: Intl.ListFormatOptions) => new Intl.ListFormat(language, options));
export const relativeFormat = cached(
  (language, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language, options),
);
export const displayNames = cached(
  (language, options: Intl.DisplayNamesOptions) => new Intl.DisplayNames(language, options),
);

function cached<Options, Format>(make: (language: string | undefined, options: Options) => Format) {
  const formats = new Map<string, Format>();
  return (language: string | undefined, options: Options): Format => {
    const key = `${language} ${JSON.stringify(options)}`;
    const known = formats.get(key);
    if (known !== undefined) return known;
    const format = make(language, options);
    formats.set(key, format);
    return format;
  };
}
