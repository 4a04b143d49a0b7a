import { Button, Checkbox, Group, Select, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Draft, FoundTemplate, FoundTemplates, UnreadableTemplate } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { usePlaceText } from "@/components/finding-place";
import { FindingList } from "@/components/findings";
import { SearchField } from "@/components/search-field";
import { useCategoryText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { useFaultText } from "@/lib/fault-text";
import { queries } from "@/lib/ipc/queries";
import { useLanguageName } from "@/lib/language-name";
import { useWabaText } from "@/lib/waba-names";
import classes from "./found-templates.module.css";
import { useOpenDetails } from "./use-open-details";
import type { useSaveDrafts } from "./use-save-drafts";

const NONE: string[] = [];

/** A draft with accounts, unless its source named others. */
export function inAccounts(draft: Draft, wabaIds: string[]): Draft {
  return draft.wabaIds.length === 0 ? { ...draft, wabaIds } : draft;
}

/** Rows that are added at a time. */
const ROWS = 100;

interface FoundTemplatesListProps {
  /** The dialog around the list. */
  modalId: string;
  found: FoundTemplates;
  save: ReturnType<typeof useSaveDrafts>;
  onBack: () => void;
}

/** Templates that were read: which of them become drafts, and what could not be read. */
export function FoundTemplatesList({ modalId, found, save, onBack }: FoundTemplatesListProps) {
  const { t } = useTranslation("templates");
  const hasTemplates = found.templates.length > 0;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(found.templates.length === 1 ? found.templates.map(({ draft }) => draft.id) : []),
  );
  const [words, setWords] = useState("");
  const [rows, setRows] = useState(ROWS);
  const sought = words.toLowerCase();
  const workspace = useWorkspace();
  const known = useQuery(queries.workspace(workspace.id)).data?.settings.wabaIds ?? NONE;
  const wabaText = useWabaText(workspace.id);
  const [wabaIds, setWabaIds] = useState(found.wabaIds);
  const matching = found.templates.filter(({ draft: { template }, source }) =>
    `${template.name} ${template.language} ${source}`.toLowerCase().includes(sought),
  );
  const shown = matching.slice(0, rows);
  const toggles = useRef(new Map<string, HTMLButtonElement>());
  const { opened, toggle } = useOpenDetails(
    modalId,
    shown.map(({ draft }) => draft.id),
    (id) => toggles.current.get(id)?.focus(),
  );
  const chosenAmong = matching.filter(({ draft }) => chosen.has(draft.id)).length;
  const choose = (templates: FoundTemplate[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const { draft } of templates) isChosen ? next.add(draft.id) : next.delete(draft.id);
    setChosen(next);
  };
  const drafts = found.templates
    .filter(({ draft }) => chosen.has(draft.id))
    .map(({ draft }) => inAccounts(draft, wabaIds));
  return (
    <div className={styles.stack}>
      <Text size="sm">{hasTemplates ? t("import.found", { count: found.templates.length }) : t("import.none")}</Text>
      {hasTemplates && (
        <>
          {known.length > 1 && found.templates.some(({ draft }) => draft.wabaIds.length === 0) && (
            <Select
              size="xs"
              label={t("import.account")}
              description={t("import.accountText")}
              placeholder={t("noAccount", { ns: "common" })}
              data={known.map((waba) => ({ value: waba, label: wabaText(waba) }))}
              value={wabaIds[0] ?? null}
              onChange={(waba) => setWabaIds(waba === null ? [] : [waba])}
              allowDeselect={false}
            />
          )}
          <SearchField
            size="xs"
            value={words}
            onChange={setWords}
            label={t("import.search")}
            clearLabel={t("import.clearSearch")}
          />
          <div className={classes.scroll}>
            <table className={classes.grid} aria-label={t("import.choose")}>
              <thead>
                <tr>
                  <th scope="col">
                    <Checkbox
                      size="xs"
                      aria-label={t("import.selectAll")}
                      disabled={matching.length === 0}
                      checked={matching.length > 0 && chosenAmong === matching.length}
                      indeterminate={chosenAmong > 0 && chosenAmong < matching.length}
                      onChange={({ currentTarget }) => choose(matching, currentTarget.checked)}
                    />
                  </th>
                  <th scope="col">{t("import.name")}</th>
                  <th scope="col">{t("import.language")}</th>
                  <th scope="col">{t("import.category")}</th>
                  <th scope="col">{t("import.findings")}</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((one) => (
                  <FoundRow
                    key={one.draft.id}
                    found={one}
                    isChosen={chosen.has(one.draft.id)}
                    onChoose={(isChosen) => choose([one], isChosen)}
                    isOpen={opened.includes(one.draft.id)}
                    onToggle={() => toggle(one.draft.id)}
                    toggleRef={(button) => {
                      if (button) toggles.current.set(one.draft.id, button);
                      else toggles.current.delete(one.draft.id);
                    }}
                  />
                ))}
              </tbody>
            </table>
            {matching.length > rows && (
              <Button variant="subtle" size="xs" m="sm" onClick={() => setRows(rows + ROWS)}>
                {t("import.showMore", { count: matching.length - rows })}
              </Button>
            )}
          </div>
        </>
      )}
      {found.foldersLeftOut > 0 && <Text size="sm">{t("import.foldersLeftOut", { count: found.foldersLeftOut })}</Text>}
      {found.unreadable.length > 0 && <Unreadable unreadable={found.unreadable} />}
      {save.error && <ErrorNotice error={save.error} />}
      <Group gap="xs" justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {t("import.back")}
        </Button>
        {hasTemplates && (
          <Button disabled={drafts.length === 0} loading={save.isPending} onClick={() => save.mutate(drafts)}>
            {t("import.create", { count: drafts.length })}
          </Button>
        )}
      </Group>
    </div>
  );
}

interface FoundRowProps {
  found: FoundTemplate;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  /** Whether its problems are shown. */
  isOpen: boolean;
  onToggle: () => void;
  toggleRef: (button: HTMLButtonElement | null) => void;
}

function FoundRow({ found, isChosen, onChoose, isOpen, onToggle, toggleRef }: FoundRowProps) {
  const { draft, findings, source, isPlainText } = found;
  const { t } = useTranslation("templates");
  const category = useCategoryText();
  const languageName = useLanguageName();
  const placeText = usePlaceText();
  const details = useId();
  const { name, language, category: word } = draft.template;
  return (
    <>
      <tr>
        <td>
          <Checkbox
            size="xs"
            aria-label={t("import.select", { name, language: languageName(language) })}
            checked={isChosen}
            onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
          />
        </td>
        <td className={classes.name} title={source === "" ? undefined : source}>
          {name === "" ? t("draft.unnamed") : name}
          {isPlainText && (
            <Text size="xs" c="dimmed">
              {t("import.plainText")}
            </Text>
          )}
        </td>
        <td>{languageName(language)}</td>
        <td>{category(word)}</td>
        <td>
          {findings.length === 0 ? (
            t("import.noFindings")
          ) : (
            <UnstyledButton
              ref={toggleRef}
              className={classes.findings}
              aria-expanded={isOpen}
              aria-controls={isOpen ? details : undefined}
              onClick={onToggle}
            >
              {t("import.findingCount", { count: findings.length })}
            </UnstyledButton>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td id={details} colSpan={5}>
            <FindingList
              findings={findings}
              label={t("import.findings")}
              nameOf={(place) => placeText(place, draft.template)}
            />
          </td>
        </tr>
      )}
    </>
  );
}

function Unreadable({ unreadable }: { unreadable: UnreadableTemplate[] }) {
  const { t } = useTranslation("templates");
  const faultText = useFaultText();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={classes.title}>
        {t("import.unreadable", { count: unreadable.length })}
      </h3>
      <ul className={classes.unreadable}>
        {unreadable.map(({ source, place, name, reason }, index) => (
          <li key={index}>
            <strong>
              {[source, place == null ? "" : t("import.place", { place }), name]
                .filter((part) => part !== "")
                .join(" · ")}
            </strong>{" "}
            {faultText(reason, source === "" ? "text" : "file")}
          </li>
        ))}
      </ul>
    </section>
  );
}
