import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import type { Counter, Finding } from "@/bindings/model";
import { SeverityIcon, useFindingText } from "@/components/findings";
import classes from "./composer.module.css";
import { type ComposerState, useComposer } from "./store";

interface FieldOptions {
  /** An empty field shows what is missing only after the person has been there. */
  empty: boolean;
  /** Other places whose findings are shown here. A trailing `/` takes everything below. */
  also?: string[];
  hint?: string | undefined;
}

/** Properties of an input for the field at `path`: findings and length stand below it and describe it. */
export function useField(path: string, { empty, also = [], hint }: FieldOptions) {
  const here = useFindingsAt([path, ...also]);
  const shown = useComposer((state) => state.attempted || state.touched.has(path)) || !empty ? here : NONE;
  const counter = useComposer((state) => state.inspection?.counters.find((entry) => entry.path === path));
  const touch = useComposer((state) => state.touch);
  const hasNotes = shown.length > 0 || hint !== undefined || (counter !== undefined && !empty);
  return {
    "data-path": path,
    error: shown.some(({ severity }) => severity === "error"),
    description: hasNotes ? <Notes findings={shown} counter={empty ? undefined : counter} hint={hint} /> : undefined,
    descriptionProps: { component: "div" as const },
    inputWrapperOrder: ["label", "input", "description"] as ("label" | "input" | "description")[],
    onBlur: () => touch(path),
  };
}

function isAt(path: string, places: string[]): boolean {
  return places.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));
}

const NONE: Finding[] = [];

/** Findings at `places`; the same list as long as nothing in it changes. */
function useFindingsAt(places: string[]): Finding[] {
  const at = ({ refusals, inspection }: ComposerState) => {
    const here = [...refusals, ...(inspection?.findings ?? NONE)].filter((finding) => isAt(finding.path, places));
    return here.length === 0 ? NONE : here;
  };
  return useComposer(useShallow(at));
}

/** Findings at `places`, beside no single input. */
export function NotesAt({ places }: { places: string[] }) {
  const here = useFindingsAt(places);
  return here.length === 0 ? null : <Notes findings={here} />;
}

interface NotesProps {
  findings: Finding[];
  counter?: Counter | undefined;
  hint?: string | undefined;
}

function Notes({ findings, counter, hint }: NotesProps) {
  const { t } = useTranslation("composer");
  const text = useFindingText();
  return (
    <div className={classes.notes}>
      <div>
        {findings.map((finding, place) => (
          <div key={place} className={classes.note} data-severity={finding.severity}>
            <SeverityIcon severity={finding.severity} />
            <span>{text(finding)}</span>
          </div>
        ))}
        {hint !== undefined && findings.length === 0 && <span>{hint}</span>}
      </div>
      {counter && (
        <span
          className={classes.counter}
          data-over={counter.used > counter.limit || undefined}
          role="img"
          aria-label={t("counter", { used: counter.used, limit: counter.limit })}
        >
          {counter.used}/{counter.limit}
        </span>
      )}
    </div>
  );
}
