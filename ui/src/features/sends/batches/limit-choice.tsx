import { Radio, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SendProblem } from "@/bindings/model";
import { momentOf, useProblemText } from "@/components/send-problem-text";
import classes from "./batches.module.css";

/** The warning that a batch is above the messaging limit. */
export const ABOVE_LIMIT = "number.limit";

interface Props {
  problem: SendProblem;
  accepted: boolean;
  /** Those who do not fit now wait. */
  spread: boolean;
  onChoose: (accepted: boolean, spread: boolean) => void;
}

/** Whether the people above the messaging limit wait, get the message at once, or nobody gets it yet. */
export function LimitChoice({ problem, accepted, spread, onChoose }: Props) {
  const { t, i18n } = useTranslation("batches");
  const text = useProblemText();
  const instant = momentOf(Number(problem.values.at ?? 0), i18n.language);
  const canWait = Number(problem.values.limit) > 0;
  return (
    <div className={classes.warning}>
      <Radio.Group
        label={t("plan.limitChoice")}
        description={text(problem)}
        inputWrapperOrder={["label", "description", "input"]}
        value={accepted ? (spread ? "spread" : "all") : "stop"}
        onChange={(choice) => onChoose(choice !== "stop", choice === "spread")}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="stop" label={t("plan.limitStop")} />
          {canWait && <Radio value="spread" label={t("plan.limitSpread", { instant, nest: false })} />}
          <Radio value="all" label={t("plan.limitAll")} />
        </Stack>
      </Radio.Group>
    </div>
  );
}
