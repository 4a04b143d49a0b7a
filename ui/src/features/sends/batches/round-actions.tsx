import { Alert, Button, Group } from "@mantine/core";
import { IconRepeat, IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Batch, BatchOrigin } from "@/bindings/app";
import { Instant } from "@/components/instant";
import { showFailure } from "@/components/show-failure";
import { dateFormat } from "@/lib/formats";
import { useCommand } from "@/lib/ipc/mutations";
import { sendsQueries } from "../queries";
import { useAskStart } from "./use-ask-start";
import { useBeginLike } from "./use-begin-like";

/** Where a further round comes from; while it is a draft, from when it can be sent, and what sends or discards it. */
export function RoundNote({ batch, origin }: { batch: Batch; origin: BatchOrigin }) {
  const { t } = useTranslation("batches");
  const { earliest, group } = origin;
  const isEarly = earliest != null && earliest > Date.now();
  return (
    <Alert color="blue" variant="light" p="xs" icon={<IconRepeat size={18} aria-hidden />}>
      {t("round.of", { group: t(`groups.name.${group}`) })}{" "}
      <Link to="/sends/batches/$batch" params={{ batch: origin.batch }}>
        {t("round.open")}
      </Link>
      {batch.state === "planned" && (
        <>
          {isEarly && (
            <p>
              {t("round.early")} <Instant at={earliest} format="full" />.
            </p>
          )}
          <Values batch={batch} origin={origin.batch} />
          <DraftActions batch={batch} isEarly={isEarly} />
        </>
      )}
    </Alert>
  );
}

/** Where the values come from, and the way to other ones. */
function Values({ batch, origin }: { batch: Batch; origin: string }) {
  const { t, i18n } = useTranslation("batches");
  const beginLike = useBeginLike();
  const earlier = useQuery(sendsQueries.batch(origin)).data?.batch;
  if (!earlier) return null;
  const sentAt = new Date(earlier.startedAt ?? earlier.createdAt);
  const date = dateFormat(i18n.language, { dateStyle: "medium", timeStyle: "short" }).format(sentAt);
  return (
    <p>
      {t("round.values", { date, nest: false })}{" "}
      <Button size="compact-sm" variant="subtle" onClick={() => void beginLike(batch)}>
        {t("round.otherFile")}
      </Button>
    </p>
  );
}

function DraftActions({ batch, isEarly }: { batch: Batch; isEarly: boolean }) {
  const { t } = useTranslation("batches");
  const navigate = useNavigate();
  const askStart = useAskStart();
  const start = useCommand("start_batch");
  const discard = useCommand("discard_round");
  const { id, counts, origin } = batch;
  const ask = () => askStart(batch, () => start.mutate({ batch: id, skipBad: true }, { onError: showFailure }));
  const drop = () =>
    discard.mutate(
      { batch: id },
      {
        onSuccess: () =>
          void navigate(
            origin
              ? { to: "/sends/batches/$batch", params: { batch: origin.batch }, replace: true }
              : { to: "/sends/batches", replace: true },
          ),
        onError: showFailure,
      },
    );
  return (
    <Group gap="xs" mt="xs">
      {counts.planned > 0 ? (
        <Button
          size="compact-sm"
          leftSection={<IconSend size={15} aria-hidden />}
          disabled={isEarly}
          loading={start.isPending}
          onClick={ask}
        >
          {t("round.start", { count: counts.planned })}
        </Button>
      ) : (
        <span>{t("round.nobody")}</span>
      )}
      <Button size="compact-sm" variant="default" loading={discard.isPending} onClick={drop}>
        {t("round.discard")}
      </Button>
    </Group>
  );
}
