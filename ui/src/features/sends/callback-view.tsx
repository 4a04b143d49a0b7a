import { Badge, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyButton } from "@/components/copy-button";
import { Facts } from "@/components/facts";
import classes from "./send-page.module.css";

/** The key under which our tracking identifier joins callback data. */
const TRACKING = "td";

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * The members of callback data that is a JSON object; `undefined` where it is none. Works on the text, because reading
 * it into values would round long numbers and merge repeated keys.
 */
export function callbackEntries(text: string): [key: string, value: string][] | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof read !== "object" || read === null || Array.isArray(read)) return undefined;
  const entries: [string, string][] = [];
  let depth = 0;
  let key: string | undefined;
  let value = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (depth === 1 && (token === "," || token === "}")) {
      if (key !== undefined) entries.push([key, value.startsWith('"') ? (JSON.parse(value) as string) : value]);
      key = undefined;
      value = "";
    } else if (depth === 1 && key === undefined) {
      key = JSON.parse(token) as string;
    } else if (depth > 1 || (depth === 1 && !(token === ":" && value === ""))) {
      value += token;
    }
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
  }
  return entries;
}

interface CallbackViewProps {
  text: string;
  label: string;
  /** Our tracking identifier, where the send carries one. */
  trackingId?: string | null | undefined;
}

/** Callback data, decoded; what is ours in it is marked. */
export function CallbackView({ text, label, trackingId }: CallbackViewProps) {
  const { t } = useTranslation("sends");
  const entries = callbackEntries(text);
  return (
    <Stack gap="0.625rem">
      {entries && entries.length > 0 && (
        <Facts label={label}>
          {entries.map(([key, value], index) => (
            <div key={index} className={classes.fact}>
              <dt>
                <code>{key}</code>
              </dt>
              <dd>
                {value}
                {key === TRACKING && (trackingId == null || value === trackingId) && (
                  <Badge size="xs" variant="light">
                    {t("callback.ours")}
                  </Badge>
                )}
              </dd>
            </div>
          ))}
        </Facts>
      )}
      <div className={classes.exactText}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, and must do so by keyboard */}
        <code tabIndex={0} role="group" aria-label={t("callback.label")}>
          {text}
        </code>
        <CopyButton text={text} label={t("callback.copy")} />
      </div>
    </Stack>
  );
}
