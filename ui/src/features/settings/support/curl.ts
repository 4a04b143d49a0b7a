import type { RefusedDetail } from "@/bindings/app";

/** Headers that say what the body is and who signed it. Others may hold credentials of a proxy. */
const HARMLESS = /^(content-type|user-agent)$|signature|hub-sha/i;

/**
 * A command that makes the delivery again, for a terminal; nothing where the body was not kept whole or is no text. The
 * signature is no secret: it fits this body alone.
 */
export function curlOf({ method, row, headers, body, kept }: RefusedDetail, address: string): string | undefined {
  if (method.toUpperCase() !== "POST" || kept < row.size || body.includes("\uFFFD") || body.includes("\0")) {
    return undefined;
  }
  // Parameters of an address may be a token.
  const [path = "/"] = row.path.split("?");
  const parts = headers
    .filter(([name]) => HARMLESS.test(name))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ["curl -i -X POST", quoted(`http://${address}${path}`), ...parts, `--data-binary ${quoted(body)}`].join(
    " \\\n  ",
  );
}

/** A word as every POSIX shell reads it back. A leading `@` would name a file to curl. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
