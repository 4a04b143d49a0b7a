import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import type { Finding } from "@/bindings/model";
import { useFindingText } from "@/components/findings";
import type { JsonMarker } from "@/components/json-editor";
import { Loading } from "@/components/loading";
import { parseJson, stringifyJson } from "@/lib/exact-json";
import { call } from "@/lib/ipc/client";
import classes from "./composer.module.css";
import { NotesAt } from "./field";
import { useComposer, useComposerStore } from "./store";

const JsonEditor = lazy(() => import("@/components/json-editor"));

interface DataFieldProps {
  field: "pix_data" | "order_data";
  label: string;
  example: object;
}

/**
 * A value of free shape as JSON. Text that cannot be read stays in the template as text, which the contract allows
 * (§4.3) and the rules object to: so it is stored like everything else.
 */
export function DataField({ field, label, example }: DataFieldProps) {
  const { t } = useTranslation("composer");
  const id = useId();
  const store = useComposerStore();
  const value = useComposer((state) => state.draft.template[field]);
  const [written, setWritten] = useState<{ text: string; value: unknown }>();
  const text = written && written.value === value ? written.text : textOf(value);
  const markers = useMarkersOf(field, value);

  const write = (next: string) => {
    const read = next.trim() === "" ? undefined : readData(next);
    setWritten({ text: next, value: read });
    store
      .getState()
      .change(({ [field]: _, ...rest }) => (read === undefined ? rest : { ...rest, [field]: read }), field);
  };

  return (
    <div data-path={`/${field}`} role="group" aria-labelledby={id}>
      <div className={classes.dataHead}>
        <span id={id}>{label}</span>
        {text.trim() === "" && (
          <Button size="compact-xs" variant="subtle" onClick={() => write(JSON.stringify(example, null, 2))}>
            {t("payment.example")}
          </Button>
        )}
      </div>
      <Suspense fallback={<Loading />}>
        <JsonEditor value={text} onChange={write} label={label} markers={markers} minHeight="6rem" />
      </Suspense>
      <NotesAt paths={[`/${field}`, `/${field}/`]} />
    </div>
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : stringifyJson(value, 2);
}

/** The value that is written, or the text itself where none can be read. */
function readData(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

const NONE: Finding[] = [];

/** What the rules say inside the value, and where a text stops being JSON. */
function useMarkersOf(field: string, value: unknown): JsonMarker[] {
  const textOfFinding = useFindingText();
  const findings = useComposer(
    useShallow(({ inspection, refusals }) =>
      [...refusals, ...(inspection?.findings ?? NONE)].filter(({ path }) => path.startsWith(`/${field}/`)),
    ),
  );
  const unread = typeof value === "string" && readData(value) === value ? value : undefined;
  const fault = useQuery({
    queryKey: ["dataFault", unread],
    // The host gives line and column in the whole template; the value has lines of its own.
    queryFn: () => call("read_template", { text: `{"data":\n${unread ?? ""}\n}` }),
    enabled: unread !== undefined,
    gcTime: 0,
    select: (answer) => answer.fault ?? undefined,
  });
  if (unread !== undefined) {
    const { line, column, message } = fault.data ?? {};
    return line === undefined
      ? []
      : [{ line: Math.max(1, line - 1), column: column ?? 1, severity: "error", message: message ?? "" }];
  }
  return findings.map((finding) => ({
    path: finding.path.slice(field.length + 1),
    severity: finding.severity,
    message: textOfFinding(finding),
  }));
}
