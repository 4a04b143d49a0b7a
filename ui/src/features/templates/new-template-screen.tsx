import { Button, SegmentedControl } from "@mantine/core";
import { IconFile, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Starter } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { Panel } from "@/components/panel";
import { Phone } from "@/components/phone/phone";
import { SplitView } from "@/components/split-view";
import { useCategoryText } from "@/components/status-badge";
import { useCreateDraft } from "@/lib/create-draft";
import { useWorkspace } from "@/lib/desk";
import { LANGUAGE_NAMES, resolveLanguage } from "@/lib/i18n/languages";
import { useSenderName } from "@/lib/sender";
import { BackToTemplates } from "./back-to-templates";
import classes from "./new-template.module.css";
import { templatesQueries } from "./queries";

const NONE: readonly string[] = [];

/** What the draft begins with; nothing for an empty one. */
type Choice = Starter["name"] | undefined;

/** What a new template begins with: nothing, or one of the starters. */
export function NewTemplateScreen() {
  const { t, i18n } = useTranslation("templates");
  const starters = useQuery(templatesQueries.starters());
  const [name, setName] = useState<Choice>();
  const [chosen, setChosen] = useState<string>();
  const creation = useCreateDraft();
  const sender = useSenderName(useWorkspace().id, NONE);

  const all = starters.data ?? [];
  const languages = [...new Set(all.map(({ template }) => template.language))];
  const language = chosen ?? languages.find((code) => windowLanguage(code) === i18n.language) ?? languages[0] ?? "";
  const offered = all.filter(({ template }) => template.language === language);
  const shown = offered.find((starter) => starter.name === name);

  const create = (choice: Choice) => {
    if (creation.isPending) return;
    const start = choice === undefined ? { language: chosen } : { fromStarter: choice, language };
    creation.begin({ ...start, edit: false }, { replace: true });
  };
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    create(name);
  };
  // Not every engine submits a form from a radio button.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.repeat) submit(event);
  };

  return (
    <>
      <PageHeader
        title={t("new")}
        lead={<BackToTemplates />}
        aside={
          languages.length > 0 && (
            <SegmentedControl
              size="xs"
              aria-label={t("starter.language")}
              value={language}
              onChange={setChosen}
              data={languages.map((code) => ({ value: code, label: LANGUAGE_NAMES[windowLanguage(code)] }))}
            />
          )
        }
      >
        <Button onClick={() => create(name)} leftSection={<IconPlus size={16} />} loading={creation.isPending}>
          {t(name === undefined ? "starter.blankAction" : "starter.use")}
        </Button>
      </PageHeader>
      {creation.error && <ErrorNotice error={creation.error} />}
      {starters.error && <ErrorNotice error={starters.error} onRetry={() => void starters.refetch()} />}
      {starters.isPending ? (
        <Loading />
      ) : (
        <SplitView
          panel={
            <Panel label={t("starter.preview")} className={classes.preview}>
              {shown ? (
                <Phone key={shown.template.name} bubble={shown.bubble} sender={sender} />
              ) : (
                <Empty Icon={IconFile} title={t("starter.blank")} text={t("starter.blankPreview")} />
              )}
            </Panel>
          }
        >
          <form className={classes.choices} onSubmit={submit} onKeyDown={onKeyDown} aria-label={t("starter.choices")}>
            <Group title={t("starter.none")}>
              <Option
                title={t("starter.blank")}
                text={t("starter.blankText")}
                checked={name === undefined}
                onChoose={() => setName(undefined)}
                onOpen={() => create(undefined)}
                autoFocus
              />
            </Group>
            <StarterGroups offered={offered} name={name} onChoose={setName} onOpen={create} />
          </form>
        </SplitView>
      )}
    </>
  );
}

/** The language of the window in which a template's language is named. */
const windowLanguage = (code: string) => resolveLanguage(code.replace("_", "-"), []);

interface StarterGroupsProps {
  offered: Starter[];
  name: Choice;
  onChoose: (name: Choice) => void;
  onOpen: (name: Choice) => void;
}

function StarterGroups({ offered, name, onChoose, onOpen }: StarterGroupsProps) {
  const { t } = useTranslation("templates");
  const category = useCategoryText();
  const categories = [...new Set(offered.map(({ template }) => template.category ?? ""))];
  return categories.map((word) => (
    <Group key={word} title={category(word)}>
      {offered
        .filter(({ template }) => (template.category ?? "") === word)
        .map((starter) => (
          <Option
            key={starter.name}
            title={t(`starter.name.${starter.name}`)}
            text={bodyOf(starter) ?? t("component.fixedBody")}
            checked={starter.name === name}
            onChoose={() => onChoose(starter.name)}
            onOpen={() => onOpen(starter.name)}
          />
        ))}
    </Group>
  ));
}

/** The text of a starter as the phone shows it; absent if WhatsApp writes it. */
function bodyOf({ template, bubble }: Starter): string | undefined {
  const body = template.components.find((component) => component.type === "BODY");
  if (body?.type !== "BODY" || body.text === undefined) return undefined;
  return bubble.body
    .map((block) => (block.kind === "code" ? block.text : block.runs.map(({ text }) => text).join("")))
    .join(" ");
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend>{title}</legend>
      <div className={classes.options}>{children}</div>
    </fieldset>
  );
}

interface OptionProps {
  title: string;
  text: string;
  checked: boolean;
  onChoose: () => void;
  /** Begins the draft with it. */
  onOpen: () => void;
  autoFocus?: boolean;
}

/** A radio button, so that arrow keys move and Enter submits the form. */
function Option({ title, text, checked, onChoose, onOpen, autoFocus = false }: OptionProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    if (autoFocus) input.current?.focus({ preventScroll: true });
  }, [autoFocus]);
  return (
    <label className={classes.option} data-checked={checked || undefined} onDoubleClick={onOpen}>
      <input
        ref={input}
        type="radio"
        name="starter"
        checked={checked}
        onChange={onChoose}
        aria-label={title}
        aria-describedby={id}
      />
      <span className={classes.title}>{title}</span>
      <span id={id} className={classes.text}>
        {text}
      </span>
    </label>
  );
}
