import { Alert, Button, Group } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Batch, BatchComparison } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { isUnderWay } from "@/lib/run-state";
import { forgetDraft, useBatchDraft } from "./draft";
import { useAskStart } from "./use-ask-start";

/** Of a divided list: how it was divided, and the way to send the halves that wait. */
export function DividedHalves({ comparison: { first, second, share } }: { comparison: BatchComparison }) {
  const { t, i18n } = useTranslation("batches");
  const workspace = useWorkspace();
  const [{ comparison: begun }] = useBatchDraft(workspace.id);
  const askStart = useAskStart();
  const spread = useCommand("spread_batch");
  const start = useCommand("start_batch");
  if (share == null) return null;
  const halves = [first.batch, second.batch];
  const waiting = halves.filter(({ state }) => state === "planned");
  const isBusy = halves.some(isUnderWay);
  const send = ({ id }: Batch) =>
    // Whom the messaging limit has no room for waits: each half was checked before the other one left.
    spread.mutate(
      { batch: id },
      {
        onError: showFailure,
        onSuccess: () =>
          start.mutate(
            { batch: id, skipBad: true },
            {
              onError: showFailure,
              onSuccess: () => {
                if (halves.some((half) => half.id === begun?.checked?.plan)) forgetDraft(workspace.id);
              },
            },
          ),
      },
    );
  const percent = new Intl.NumberFormat(i18n.language, { style: "percent" }).format(share / 100);
  return (
    <>
      <p>{t("compare.divided", { share: percent })}</p>
      {waiting.length > 0 && (
        <Alert
          role="status"
          color="yellow"
          variant="light"
          title={t(waiting.length === 2 ? "divide.unsent" : "divide.waiting")}
        >
          <p>{t(isBusy ? "divide.busy" : waiting.length === 2 ? "divide.order" : "divide.now")}</p>
          <Group gap="xs" mt="xs">
            {waiting.map((half) => (
              <Button
                key={half.id}
                size="compact-sm"
                disabled={isBusy || half.counts.planned === 0}
                loading={spread.isPending || start.isPending}
                leftSection={<IconSend size={14} aria-hidden />}
                onClick={() => askStart(half, () => send(half))}
              >
                {t("divide.send", { count: half.counts.planned, name: half.templateName, nest: false })}
              </Button>
            ))}
          </Group>
        </Alert>
      )}
    </>
  );
}
