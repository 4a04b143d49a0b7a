import { Badge } from "@mantine/core";
import { IconWand } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { PhoneScript, SandboxSettings } from "@/bindings/app";
import classes from "./sandbox-phone.module.css";
import { isPlain, useScriptText } from "./script";

interface ScriptNoteProps {
  /** What holds for the phone: its own script, else that of every phone. */
  script: PhoneScript | undefined;
  settings: SandboxSettings | undefined;
}

/** What happens to the next message, and what disturbs webhooks now: always in sight, so that nobody forgets it. */
export function ScriptNote({ script, settings }: ScriptNoteProps) {
  const { t } = useTranslation("sandboxPhone");
  const say = useScriptText();
  const disturbances = settings ? disturbancesOf(settings) : [];
  return (
    <div className={classes.scriptNote} data-plain={isPlain(script) || undefined}>
      <IconWand size={15} stroke={1.7} aria-hidden />
      <span>
        {t("script.now")} <strong>{say(script)}</strong>
      </span>
      {disturbances.map((disturbance) => (
        <Badge key={disturbance} size="sm" variant="light" color="orange">
          {t(`disturbance.${disturbance}`)}
        </Badge>
      ))}
    </div>
  );
}

/** The faults that change webhooks or sends. */
function disturbancesOf({ webhooks, throttle }: SandboxSettings) {
  const { paused, delayMs, duplicates, reorder, batch, signature } = webhooks;
  return (
    [
      ["paused", paused],
      ["delayed", delayMs > 0],
      ["duplicated", duplicates > 0],
      ["reordered", reorder],
      ["batched", batch > 1],
      ["signature", signature !== "right"],
      ["throttled", throttle],
    ] as const
  ).flatMap(([name, on]) => (on ? [name] : []));
}
