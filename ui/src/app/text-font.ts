import latin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";

/** Longest time that the first drawing waits for the font, in milliseconds. */
const MAX_WAIT = 150;

/** The range of the Latin file in the style sheet of the font, which has further files for other letters. */
const LATIN =
  "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD";

/**
 * Loads the Latin letters before anything is drawn. Otherwise everything is laid out twice, the first time
 * with fonts of the system, which have to be looked up for each weight.
 */
export async function loadTextFont(): Promise<void> {
  const font = new FontFace("Inter Variable", `url(${latin}) format("woff2-variations")`, {
    weight: "100 900",
    unicodeRange: LATIN,
  });
  const waited = new Promise((resolve) => setTimeout(resolve, MAX_WAIT));
  const loaded = font.load().then(
    () => document.fonts.add(font),
    // The style sheet names it too, and the system has other fonts.
    () => undefined,
  );
  await Promise.race([loaded, waited]);
}
