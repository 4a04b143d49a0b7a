import { Checkbox } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { BatchPlan, HeldBackPeople as HeldBack } from "@/bindings/app";
import { momentOf } from "@/components/send-problem-text";
import classes from "./batches.module.css";

/** The warning of a row whose person the channel held back a short time ago. */
export const HELD_BACK = "to.cappedUntil";

interface HeldBackPeopleProps {
  plan: BatchPlan;
  accepted: boolean;
  onAccept: (accepted: boolean) => void;
}

/** Who was held back, from when it makes sense to try again, and the choice to send to them anyway. */
export function HeldBackPeople({ plan: { heldBack }, accepted, onAccept }: HeldBackPeopleProps) {
  const { t } = useTranslation("batches");
  const text = useHeldBackText();
  if (heldBack == null) return null;
  return (
    <div className={classes.warning}>
      <p>{text(heldBack)}</p>
      <Checkbox
        size="sm"
        label={t("plan.heldBackAccept", { count: heldBack.people })}
        description={t("plan.heldBackOut")}
        checked={accepted}
        onChange={(event) => onAccept(event.currentTarget.checked)}
      />
    </div>
  );
}

/** How many people were held back, and until when. */
export function useHeldBackText(): (of: HeldBack) => string {
  const { t, i18n } = useTranslation("batches");
  return ({ people, from, allFrom }) => {
    const [first, last] = [from, allFrom].map((at) => momentOf(at, i18n.language));
    const words = t("plan.heldBack", { count: people, from: first });
    return first === last ? words : `${words} ${t("plan.heldBackLater", { allFrom: last })}`;
  };
}
