import { CopyButton } from "./copy-button";
import classes from "./json-view.module.css";

interface JsonViewProps {
  /** JSON as text; anything else is shown as it is. */
  text: string;
  /** Accessible name. */
  label: string;
  maxHeight?: string;
}

/** JSON to be read and copied. Numbers, key order and escapes stay exactly as they came. */
export function JsonView({ text, label, maxHeight }: JsonViewProps) {
  const tokens = tokenize(layOut(text));
  return (
    <div className={classes.frame} data-limited={maxHeight !== undefined || undefined}>
      <CopyButton text={text} className={classes.copy} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div role="group" className={classes.view} style={{ maxHeight }} aria-label={label} tabIndex={0}>
        <pre>
          {tokens.map((token, position) =>
            token.kind === "plain" ? (
              token.text
            ) : (
              <span key={position} className={classes[token.kind]}>
                {token.text}
              </span>
            ),
          )}
        </pre>
      </div>
    </div>
  );
}

const INDENT = "  ";
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * JSON with line breaks and indents. Works on the text, because reading it into values would round long numbers and
 * merge repeated keys. Text that is not JSON is returned as it is.
 */
export function layOut(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let out = "";
  let depth = 0;
  let opened = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "}" || token === "]") {
      depth -= 1;
      out += opened ? token : `\n${INDENT.repeat(depth)}${token}`;
      opened = false;
      continue;
    }
    if (opened) out += `\n${INDENT.repeat(depth)}`;
    opened = token === "{" || token === "[";
    if (opened) depth += 1;
    if (token === ",") out += `,\n${INDENT.repeat(depth)}`;
    else if (token === ":") out += ": ";
    else out += token;
  }
  return out;
}

interface Token {
  kind: "key" | "string" | "value" | "plain";
  text: string;
}

// Colouring is for reading; past this size it would only cost.
const COLOURED = 200_000;

function tokenize(text: string): Token[] {
  if (text.length > COLOURED) return [{ kind: "plain", text }];
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(
    /("(?:[^"\\\n]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/g,
  )) {
    if (match.index > end) tokens.push({ kind: "plain", text: text.slice(end, match.index) });
    const [whole, string, colon] = match;
    if (string !== undefined && colon !== undefined) {
      tokens.push({ kind: "key", text: string }, { kind: "plain", text: colon });
    } else {
      tokens.push({ kind: string === undefined ? "value" : "string", text: whole });
    }
    end = match.index + whole.length;
  }
  if (end < text.length) tokens.push({ kind: "plain", text: text.slice(end) });
  return tokens;
}
