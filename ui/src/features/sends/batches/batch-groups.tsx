import { Button } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Batch, BatchGroup, BatchRound, ButtonTaps } from "@/bindings/app";
import type { OutcomeGroup } from "@/bindings/model";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { showFailure } from "@/components/show-failure";
import { useStatusText } from "@/components/status-badge";
import { useCommand } from "@/lib/ipc/mutations";
import { isUnderWay } from "@/lib/run-state";
import { EngagedPeople } from "./batch-engagement";
import { BatchReplies } from "./batch-replies";
import classes from "./batches.module.css";
import { GroupName } from "./group-name";
import { shownBatchState } from "./shown-state";
import { useBatchGroups } from "./use-batch-groups";

/** The people of a batch by what became of them, and a further batch of those who can get the message again. */
export function BatchGroups({ batch }: { batch: Batch }) {
  const { t } = useTranslation("batches");
  const found = useBatchGroups(batch);
  const [showsReplies, setShowsReplies] = useState(false);
  if (found.error) return <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return null;
  const { groups, replied, taps, rounds } = found.data;
  const engaged = (
    <EngagedPeople
      batch={batch}
      counts={found.data}
      onRefused={() => void found.refetch()}
      replied={{
        text: <Taps taps={taps} replied={replied} />,
        action: (
          <Button size="compact-sm" variant="default" onClick={() => setShowsReplies(true)}>
            {t("groups.showReplies")}
          </Button>
        ),
      }}
    />
  );
  const hasReached = groups.some(({ group }) => group === "reached");
  return (
    <section className={classes.groups} aria-label={t("groups.title")}>
      <h2>{t("groups.title")}</h2>
      <ul>
        {groups.map((group) => (
          <Group key={group.group} batch={batch} group={group}>
            {group.group === "reached" && engaged}
          </Group>
        ))}
        {!hasReached && replied > 0 && <li>{engaged}</li>}
      </ul>
      {rounds.length > 0 && <Rounds rounds={rounds} />}
      {showsReplies && (
        <BatchReplies batch={batch.id} onClose={() => setShowsReplies(false)}>
          <Taps taps={taps} replied={replied} />
        </BatchReplies>
      )}
    </section>
  );
}

/** How many people tapped which button; nothing where nobody did. */
function Taps({ taps, replied }: { taps: readonly ButtonTaps[]; replied: number }) {
  const { t } = useTranslation("batches");
  if (taps.length === 0) return null;
  const others = replied - taps.reduce((sum, { people }) => sum + people, 0);
  const counts = taps.map(({ button, people }) => t("groups.tapsOf", { button, people, nest: false }));
  if (others > 0) counts.push(t("groups.noTap", { people: others }));
  return (
    <p className={classes.text} dir="auto">
      {counts.join(" · ")}
    </p>
  );
}

interface GroupProps {
  batch: Batch;
  group: BatchGroup;
  /** What is shown below it. */
  children: ReactNode;
}

function Group({ batch, group, children }: GroupProps) {
  const { t } = useTranslation("batches");
  const navigate = useNavigate();
  const plan = useCommand("plan_round");
  const { group: name, people, again, againFrom, againAllFrom, triedOften, inLaterBatch } = group;
  const isLater = againFrom != null && againFrom > Date.now();
  const make = () =>
    plan.mutate(
      { batch: batch.id, group: name },
      {
        onSuccess: ({ id }) => void navigate({ to: "/sends/batches/$batch", params: { batch: id } }),
        onError: showFailure,
      },
    );
  const text = name === "notSent" && isUnderWay(batch) ? t("groups.toCome") : t(`groups.text.${name}`);
  return (
    <li>
      <div>
        <GroupName name={t(`groups.name.${name}`)} people={people} text={text} />
        {isLater && (
          <p className={classes.text}>
            {t("groups.from")} <Instant at={againFrom} format="moment" />.
            {againAllFrom != null && againAllFrom > againFrom && (
              <>
                {" "}
                {t("groups.allFrom")} <Instant at={againAllFrom} format="moment" />.
              </>
            )}
          </p>
        )}
        {inLaterBatch > 0 && <p className={classes.text}>{t("groups.inLaterBatch", { count: inLaterBatch })}</p>}
        {triedOften > 0 && <p className={classes.text}>{t("groups.triedOften", { count: triedOften })}</p>}
      </div>
      <Button
        size="compact-sm"
        variant="default"
        renderRoot={(props) => <Link to="." search={{ group: name }} {...props} />}
      >
        {t("groups.show")}
      </Button>
      {again > 0 && (
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconRepeat size={15} aria-hidden />}
          loading={plan.isPending}
          onClick={make}
        >
          {t("groups.make", { count: again })}
        </Button>
      )}
      {children}
    </li>
  );
}

/** The batches that were made of people of this one. */
function Rounds({ rounds }: { rounds: readonly BatchRound[] }) {
  const { t } = useTranslation("batches");
  const status = useStatusText();
  return (
    <p className={classes.text}>
      {t("groups.rounds")}{" "}
      {rounds.map(({ batch, group, people, state }, place) => (
        <span key={batch}>
          {place > 0 && " · "}
          <Link to="/sends/batches/$batch" params={{ batch }}>
            {t("groups.round", {
              count: people,
              group: t(`groups.name.${group}`),
              state: status(shownBatchState({ state })),
            })}
          </Link>
        </span>
      ))}
    </p>
  );
}

/** The group that the rows are limited to, and the way back to all. */
export function GroupFilter({ group }: { group: OutcomeGroup }) {
  const { t } = useTranslation("batches");
  return (
    <div className={classes.begun}>
      <p>{t("groups.only", { group: t(`groups.name.${group}`) })}</p>
      <Button size="compact-sm" variant="default" renderRoot={(props) => <Link to="." search={{}} {...props} />}>
        {t("rows.all")}
      </Button>
    </div>
  );
}
