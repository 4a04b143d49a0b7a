import { Button, Chip, Group } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryKind, TemplateHistory } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { useHasSeveralWabas } from "@/lib/waba-names";
import { templatesQueries } from "../queries";
import { Decisions } from "./decisions";
import { Entry } from "./entry";
import classes from "./history.module.css";

/** Filters of the history, with the kinds of entries that each shows. */
const GROUPS = {
  status: ["status"],
  category: ["category"],
  quality: ["quality"],
  content: ["content"],
  submitted: ["submitted"],
  archived: ["archived", "unarchived"],
  existence: ["added", "deleted"],
  gap: ["gap"],
} as const satisfies Record<string, readonly HistoryKind[]>;
type Picked = keyof typeof GROUPS;
const NAMES = Object.keys(GROUPS) as Picked[];

/** Everything that is known to have happened to a template, newest first, and what is not known. */
export function History({ reference }: { reference: string }) {
  const { t } = useTranslation("history");
  const workspace = useWorkspace();
  const severalInSettings = useHasSeveralWabas(workspace.id);
  const [picked, setPicked] = useState<string[]>([]);
  const kinds = NAMES.filter((name) => picked.includes(name)).flatMap((name) => [...GROUPS[name]]);
  const history = useInfiniteQuery(templatesQueries.history(workspace.id, reference, kinds));
  if (history.isPending) return <Loading />;
  if (history.isError) return <ErrorNotice error={history.error} onRetry={() => void history.refetch()} />;
  const { pages } = history.data;
  const first = pages[0];
  if (first === undefined) return null;
  const entries = pages.flatMap((page) => page.entries);
  const several = severalInSettings || new Set(entries.flatMap(({ wabas }) => wabas)).size > 1;
  const older = first.total - entries.length;
  if (entries.length === 0 && picked.length === 0) {
    return <Empty Icon={IconHistory} title={t("none")} text={t("noneText")} />;
  }
  return (
    <div className={classes.history}>
      <Decisions decisions={first.decisions} />
      <Chip.Group multiple value={picked} onChange={setPicked}>
        <Group gap={6} role="group" aria-label={t("shown")} className={classes.kinds}>
          {NAMES.map((name) => (
            <Chip key={name} value={name} size="xs" variant="light">
              {t(`group.${name}`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {entries.length === 0 ? (
        <p className={styles.small}>{t("nothingPicked")}</p>
      ) : (
        <ol className={classes.timeline} aria-label={t("title")} aria-busy={history.isFetching}>
          {entries.map((entry) => (
            <li key={entry.id} className={classes.entry} data-gap={entry.source === "gap" || undefined}>
              <Entry entry={entry} reference={reference} removed={first.removed} withWabas={several} />
            </li>
          ))}
        </ol>
      )}
      {history.hasNextPage ? (
        <Button
          variant="default"
          size="xs"
          className={classes.older}
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {t("older", { count: older })}
        </Button>
      ) : (
        <KnownSince history={first} />
      )}
    </div>
  );
}

/** Where knowledge begins: what came before is not made up. */
function KnownSince({ history: { knownSince } }: { history: TemplateHistory }) {
  const { t } = useTranslation("history");
  if (knownSince == null) return null;
  return (
    <p className={classes.beginning}>
      {t("knownSince")} <Instant at={knownSince} format="full" />. {t("knownSinceText")}
    </p>
  );
}
