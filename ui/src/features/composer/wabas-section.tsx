import { Anchor, Badge, Button, Checkbox, Group, Popover } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { PopoverOnDemand } from "@/components/on-demand";
import styles from "@/components/styles.module.css";
import { queries } from "@/lib/ipc/queries";
import { useWabaName, useWabaText } from "@/lib/waba-names";
import { NotesAt } from "./field";
import { LockIcon, useLock } from "./lock";
import { Section } from "./section";
import { filesOf, useComposer, useComposerActions } from "./store";

/** Business accounts in which the template is created. */
export function WabasSection() {
  const { t } = useTranslation("composer");
  const workspaceId = useComposer((state) => state.draft.workspace);
  const withFiles = useComposer((state) => filesOf(state.draft).length > 0);
  const lock = useLock("wabaIds");
  const { workspace, all } = useWabas();
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
        <WabaChoice all={all} />
      )}
      <p className={styles.small}>{lock ?? (withFiles ? t("wabasFile") : t("wabasHint"))}</p>
      <NotesAt paths={["/waba_ids", "/waba_id", "/waba_ids/"]} />
    </Section>
  );
}

/** In the head of the composer: the account that the template is for. Nothing where there is only one to choose from. */
export function WabaHead() {
  const { t } = useTranslation("composer");
  const { all, wabaIds, workspaceId } = useWabas();
  const name = useWabaName(workspaceId);
  const lock = useLock("wabaIds");
  if (all.length < 2) return null;
  const text =
    wabaIds.length === 0 ? t("wabasChoose") : t("wabasHead", { accounts: wabaIds.map(name).join(", "), nest: false });
  if (lock !== undefined) {
    return (
      <Badge variant="light" color="gray" tt="none">
        {text}
      </Badge>
    );
  }
  return (
    <PopoverOnDemand
      position="bottom-start"
      shadow="md"
      target={
        <Button
          size="compact-xs"
          variant={wabaIds.length === 0 ? "filled" : "default"}
          rightSection={<IconChevronDown size={13} aria-hidden />}
        >
          {text}
        </Button>
      }
    >
      {() => (
        <Popover.Dropdown maw="min(24rem, 90vw)">
          <WabaChoice all={all} isList />
        </Popover.Dropdown>
      )}
    </PopoverOnDemand>
  );
}

/** The accounts of the draft, and all that can be chosen. */
function useWabas() {
  const workspaceId = useComposer((state) => state.draft.workspace);
  const wabaIds = useComposer((state) => state.draft.wabaIds);
  const workspace = useQuery(queries.workspace(workspaceId));
  // One that was taken out of the settings stays visible as long as the draft names it.
  const all = [...new Set([...(workspace.data?.settings.wabaIds ?? []), ...wabaIds])];
  return { workspace, workspaceId, wabaIds, all };
}

function WabaChoice({ all, isList = false }: { all: string[]; isList?: boolean }) {
  const { t } = useTranslation("composer");
  const { wabaIds, workspaceId } = useWabas();
  const { update } = useComposerActions();
  const lock = useLock("wabaIds");
  const text = useWabaText(workspaceId);
  return (
    <Checkbox.Group
      aria-label={t("wabas")}
      value={wabaIds}
      onChange={(chosen) => update((before) => ({ ...before, wabaIds: chosen }))}
    >
      <Group gap="0.5rem 1.5rem" {...(isList && { display: "grid" })}>
        {all.map((waba) => (
          <Checkbox key={waba} value={waba} label={text(waba)} disabled={lock !== undefined} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
