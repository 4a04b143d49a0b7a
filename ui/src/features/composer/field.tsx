import { Button } from "@mantine/core";
import { IconWand } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Counter, Finding } from "@/bindings/model";
import { FindingLink, SeverityIcon, useFindingText } from "@/components/findings";
import { LengthCounter } from "@/components/length-counter";
import classes from "@/components/notes.module.css";
import { type Found, foundIn } from "./found";
import { valueAt } from "./json-pointer";
import { fieldAt, focusField } from "./jump";
import { useFix } from "./rewrite";
import { type ComposerState, useComposer, useComposerActions, useDerived } from "./store";

interface FieldOptions {
  /** An empty field shows what is missing only after the person has been there. */
  empty: boolean;
  /** Other paths whose findings are shown here. A trailing `/` takes everything below. */
  also?: string[];
  hint?: string | undefined;
}

/** Properties of an input for the field at `path`: findings and length are shown below it and describe it. */
export function useField(path: string, { empty, also = [], hint }: FieldOptions) {
  const here = useFindingsAt([path, ...also]);
  const shown = useComposer((state) => state.attempted || state.touched.has(path)) || !empty ? here : NONE;
  const hasCounter = useComposer((state) => !empty && counterAt(state, path) !== undefined);
  const { touch } = useComposerActions();
  const hasNotes = shown.length > 0 || hint !== undefined || hasCounter;
  return {
    "data-path": path,
    error: shown.some(({ finding }) => finding.severity === "error"),
    description: hasNotes ? <Notes notes={shown} counterPath={hasCounter ? path : undefined} hint={hint} /> : undefined,
    descriptionProps: { component: "div" as const },
    inputWrapperOrder: ["label", "input", "description"] as ("label" | "input" | "description")[],
    onBlur: () => touch(path),
  };
}

function isAt(path: string, paths: string[]): boolean {
  return paths.some((other) => (other.endsWith("/") ? path.startsWith(other) : path === other));
}

interface Note {
  finding: Finding;
  /** Its number in the list. */
  number: number;
}

const NONE: Note[] = [];

/** Findings at `paths`, with their numbers; drawn again only when one of them changes. */
function useFindingsAt(paths: string[]): Note[] {
  const at = ({ list, numbers }: Found) => {
    const here = list.filter((finding) => isAt(finding.path, paths));
    return here.flatMap((finding) => [finding, numbers.get(finding) ?? 0]);
  };
  // Flat, so that it can be compared by its members.
  const flat = useDerived(foundIn, at);
  if (flat.length === 0) return NONE;
  const notes: Note[] = [];
  for (let index = 0; index < flat.length; index += 2) {
    notes.push({ finding: flat[index] as Finding, number: flat[index + 1] as number });
  }
  return notes;
}

/** Findings at `paths` that belong to no single input. */
export function NotesAt({ paths }: { paths: string[] }) {
  const here = useFindingsAt(paths);
  return here.length === 0 ? null : <Notes notes={here} />;
}

export function counterAt({ inspection }: ComposerState, path: string): Counter | undefined {
  return inspection?.counters.find((counter) => counter.path === path);
}

interface NotesProps {
  notes: Note[];
  /** Path of the field whose length is shown. */
  counterPath?: string | undefined;
  hint?: string | undefined;
}

function Notes({ notes, counterPath, hint }: NotesProps) {
  const { t } = useTranslation("composer");
  const text = useFindingText();
  const fix = useFix();
  return (
    <div className={classes.notes}>
      <div>
        {notes.map(({ finding, number }, place) => (
          <div key={place} className={classes.note} data-severity={finding.severity}>
            <SeverityIcon severity={finding.severity} />
            <span>
              {text(finding)} <FindingLink finding={finding} />
            </span>
            <KeepText finding={finding} />
            {finding.fixable && (
              <Button
                size="compact-xs"
                variant="light"
                className={classes.fix}
                leftSection={<IconWand size={13} aria-hidden />}
                aria-label={t("fields.fixThis", { number })}
                onClick={({ currentTarget }) => {
                  // The button goes with its finding; the field keeps the keyboard.
                  const form = currentTarget.closest("form");
                  const field = form && fieldAt(form, finding.path);
                  if (field) focusField(field);
                  fix(finding);
                }}
              >
                {t("fields.fix")}
              </Button>
            )}
          </div>
        ))}
        {hint !== undefined && notes.length === 0 && <span>{hint}</span>}
      </div>
      {counterPath !== undefined && <FieldLength path={counterPath} />}
    </div>
  );
}

/** Lets the person say that a text is right although it is that of the template in another language. */
function KeepText({ finding: { code, path } }: { finding: Finding }) {
  const { t } = useTranslation("composer");
  const { update } = useComposerActions();
  if (code !== "translation.same_text") return null;
  const keep = () =>
    update((draft) => {
      const text = valueAt(draft.template, path);
      return typeof text === "string" ? { ...draft, keptTexts: [...(draft.keptTexts ?? []), text] } : draft;
    });
  return (
    <Button size="compact-xs" variant="light" className={classes.fix} onClick={keep}>
      {t("fields.keepText")}
    </Button>
  );
}

/** Changes with every key, unlike the notes. */
function FieldLength({ path }: { path: string }) {
  const counter = useComposer((state) => counterAt(state, path));
  return counter && <LengthCounter used={counter.used} limit={counter.limit} />;
}
