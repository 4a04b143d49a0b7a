import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Batch, Bootstrap, BulkAction, DraftRow } from "@/bindings/app";
import { useDiagnostics } from "@/components/diagnostics";
import { showFailure } from "@/components/show-failure";
import { sendsQueries } from "@/features/sends/queries";
import { templatesQueries } from "@/features/templates/queries";
import { changing, countOf } from "@/lib/bulk-actions";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";

/** What can be done after the app did not close normally. */
export function CrashActions() {
  const { t } = useTranslation("support");
  const { id } = useWorkspace();
  const diagnostics = useDiagnostics();
  const openFolder = useCommand("open_log_folder");
  const drafts = useQuery(queries.drafts(id));
  const { crashedRun } = useBootstrap();
  const here = useLocation({ select: ({ pathname }) => pathname });
  const newest = lastOf(crashedRun, drafts.data);
  const isOffered = newest !== undefined && here !== `/drafts/${newest.id}`;
  const batch = useInterruptedBatch();
  const bulkAction = interrupted(useQuery(templatesQueries.bulkActions(id)).data);
  const leads = batch !== undefined || bulkAction !== undefined;
  return (
    <>
      {batch && <OpenBatch batch={batch} />}
      {bulkAction && (
        <Button
          size="compact-xs"
          renderRoot={(props) => <Link to="/templates" search={{ bulkAction: bulkAction.id }} {...props} />}
        >
          {t(`interrupted.${bulkAction.action}`, {
            ns: "bulkActions",
            done: countOf(bulkAction, "done"),
            total: changing(bulkAction),
          })}
        </Button>
      )}
      {isOffered && (
        <Button
          size="compact-xs"
          variant={leads ? "default" : "filled"}
          renderRoot={(props) => <Link to="/drafts/$draft" params={{ draft: newest.id }} {...props} />}
        >
          {t("crash.openDraft", { ns: "shell" })}
        </Button>
      )}
      <Button
        size="compact-xs"
        variant={isOffered || leads ? "default" : "filled"}
        loading={diagnostics.isOpening}
        onClick={diagnostics.open}
      >
        {t("diagnostics.open")}
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        loading={openFolder.isPending}
        onClick={() => openFolder.mutate({}, { onError: showFailure })}
      >
        {t("diagnostics.openFolder")}
      </Button>
    </>
  );
}

/** The newest batch of this workspace, if it ended with the app. */
export function useInterruptedBatch(): Batch | undefined {
  return interrupted(useQuery(sendsQueries.batches(useWorkspace().id)).data);
}

/** The way to a batch that ended with the app. */
export function OpenBatch({ batch }: { batch: Batch }) {
  const { t } = useTranslation("shell");
  return (
    <Button
      size="compact-xs"
      renderRoot={(props) => <Link to="/sends/batches/$batch" params={{ batch: batch.id }} {...props} />}
    >
      {t("crash.openBatch", { name: batch.templateName, nest: false })}
    </Button>
  );
}

/** The draft that was changed last in the run that crashed; absent if none was. */
function lastOf(
  run: Bootstrap["crashedRun"],
  drafts: readonly Pick<DraftRow, "id" | "updatedAt">[] | undefined,
): Pick<DraftRow, "id"> | undefined {
  if (!run) return undefined;
  const changed = (drafts ?? []).filter(({ updatedAt }) => updatedAt >= run.startedAt && updatedAt <= run.endedBefore);
  return changed.sort((a, b) => b.updatedAt - a.updatedAt)[0];
}

/** The newest job that started, if it ended with the process: one that an answer stopped has an error. */
function interrupted<J extends Batch | BulkAction>(jobs: readonly J[] | undefined): J | undefined {
  const newest = jobs?.find(({ state }) => state !== "planned");
  return newest?.state === "interrupted" && newest.error == null ? newest : undefined;
}
