import { Anchor, Checkbox, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { queries } from "@/lib/ipc/queries";
import { useWabaText } from "@/lib/waba-names";
import { NotesAt } from "./field";
import { LockIcon, useLock } from "./lock";
import { Section } from "./section";
import { filesOf, useComposer, useComposerActions } from "./store";

/** Business accounts in which the template is created. */
export function WabasSection() {
  const { t } = useTranslation("composer");
  const workspaceId = useComposer((state) => state.draft.workspace);
  const wabaIds = useComposer((state) => state.draft.wabaIds);
  const withFiles = useComposer((state) => filesOf(state.draft).length > 0);
  const { update } = useComposerActions();
  const lock = useLock("wabaIds");
  const text = useWabaText(workspaceId);
  const workspace = useQuery(queries.workspace(workspaceId));
  // One that was taken out of the settings stays visible as long as the draft names it.
  const all = [...new Set([...(workspace.data?.settings.wabaIds ?? []), ...wabaIds])];
  return (
    <Section title={t("wabas")} aside={lock !== undefined && <LockIcon />}>
      {workspace.isError && <ErrorNotice error={workspace.error} onRetry={() => void workspace.refetch()} />}
      {all.length === 0 && workspace.isSuccess ? (
        <p className={styles.small}>
          {t("noWabas")}{" "}
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link to="/settings" search={{ section: "workspace", workspace: workspaceId }} {...props} />
            )}
          >
            {t("addWabas")}
          </Anchor>
        </p>
      ) : (
        <Checkbox.Group
          aria-label={t("wabas")}
          value={wabaIds}
          onChange={(chosen) => update((before) => ({ ...before, wabaIds: chosen }))}
        >
          <Group gap="0.5rem 1.5rem">
            {all.map((waba) => (
              <Checkbox key={waba} value={waba} label={text(waba)} disabled={lock !== undefined} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <p className={styles.small}>{lock ?? (withFiles ? t("wabasFile") : t("wabasHint"))}</p>
      <NotesAt paths={["/waba_ids", "/waba_id", "/waba_ids/"]} />
    </Section>
  );
}
