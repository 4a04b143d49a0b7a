import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Administration } from "@/bindings/app";
import styles from "@/components/styles.module.css";
import classes from "./edit.module.css";
import { NotesAt } from "./field";
import { Section } from "./section";
import { useComposer, useComposerStore, useEdits } from "./store";

/** Administrative context of an edit (contract §4.3). */
export function AdministrationSection() {
  const { t } = useTranslation("composer");
  const store = useComposerStore();
  const edits = useEdits();
  const administration = useComposer((state) => state.draft.administration);
  // Once only: clearing a field must not shut what is being written in.
  const [opens] = useState(administration != null);
  if (!edits) return null;
  const set = (change: Partial<Administration>, key?: string) =>
    store.getState().update((draft) => {
      const next = { workspaceUuid: null, isAdministrator: false, ...draft.administration, ...change };
      const empty = (next.workspaceUuid ?? "") === "" && !next.isAdministrator;
      return { ...draft, administration: empty ? null : next };
    }, key);
  return (
    <Section title={t("administration.section")}>
      <details className={classes.advanced} open={opens}>
        <summary>{t("administration.title")}</summary>
        <div>
          <p className={styles.small}>{t("administration.hint")}</p>
          <TextInput
            data-path="/workspace_uuid"
            label={t("administration.workspace")}
            description={t("administration.workspaceHint")}
            inputWrapperOrder={["label", "input", "description"]}
            value={administration?.workspaceUuid ?? ""}
            onChange={({ currentTarget: { value } }) =>
              set({ workspaceUuid: value === "" ? null : value }, "workspace")
            }
            autoComplete="off"
            spellCheck={false}
          />
          <NotesAt paths={["/workspace_uuid"]} />
          <Checkbox
            data-path="/is_administrator"
            label={t("administration.isAdministrator")}
            description={t("administration.isAdministratorHint")}
            checked={administration?.isAdministrator ?? false}
            onChange={({ currentTarget: { checked } }) => set({ isAdministrator: checked })}
          />
          <NotesAt paths={["/is_administrator"]} />
        </div>
      </details>
    </Section>
  );
}
