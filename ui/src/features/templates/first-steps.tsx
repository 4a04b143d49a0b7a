import { Button, CloseButton } from "@mantine/core";
import {
  IconCircleCheckFilled,
  IconCircleNumber1,
  IconCircleNumber2,
  IconCircleNumber3,
  IconRoute,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useBootstrap, usePreferences, useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useStartTour } from "@/lib/tour";
import classes from "./first-steps.module.css";

/**
 * Where to begin: three steps and which of them are done. It is one line once the first is, and leaves when all are, or
 * when it is dismissed.
 */
export function FirstSteps() {
  const { t } = useTranslation("templates");
  const [{ firstSteps }, change] = usePreferences();
  const { workspaces } = useBootstrap();
  const { id, sandbox } = useWorkspace();
  const startTour = useStartTour();
  const steps = useQuery({ ...queries.firstSteps(id), enabled: firstSteps }).data;
  if (!firstSteps || steps === undefined) return null;
  const connected = workspaces.some(({ sandbox, hasCredentials }) => !sandbox && hasCredentials);
  const { submitted, sent } = steps;
  if (submitted && sent && connected) return null;
  return (
    <section
      className={classes.strip}
      aria-label={t("firstSteps.title")}
      data-short={submitted || sent || connected || undefined}
    >
      <div className={classes.head}>
        <h2>{t("firstSteps.title")}</h2>
        {sandbox && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconRoute size={14} aria-hidden />}
            onClick={startTour}
          >
            {t("firstSteps.tour")}
          </Button>
        )}
        <CloseButton size="sm" aria-label={t("firstSteps.dismiss")} onClick={() => change({ firstSteps: false })} />
      </div>
      <ol className={classes.steps}>
        <Step name="write" done={submitted}>
          <Link to="/templates/new" className={classes.go}>
            {t("firstSteps.write.title")}
          </Link>
        </Step>
        <Step name="try" done={sent}>
          <Link to="/sends/new" search={{}} className={classes.go}>
            {t("firstSteps.try.title")}
          </Link>
        </Step>
        <Step name="connect" done={connected}>
          <Link to="/settings" search={{ section: "workspace", workspace: "new" }} className={classes.go}>
            {t("firstSteps.connect.title")}
          </Link>
        </Step>
      </ol>
    </section>
  );
}

const OPEN = { write: IconCircleNumber1, try: IconCircleNumber2, connect: IconCircleNumber3 };

function Step({ name, done, children }: { name: "write" | "try" | "connect"; done: boolean; children: ReactNode }) {
  const { t } = useTranslation("templates");
  const Icon = done ? IconCircleCheckFilled : OPEN[name];
  return (
    <li className={classes.step} data-done={done || undefined}>
      <Icon size={20} stroke={1.6} role="img" aria-label={t(done ? "firstSteps.done" : "firstSteps.open")} />
      <div>
        {children}
        <p>{t(`firstSteps.${name}.text`)}</p>
      </div>
    </li>
  );
}
