import { Button } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Batch, BatchGroups } from "@/bindings/app";
import type { Engagement } from "@/bindings/model";
import classes from "./batches.module.css";
import { GroupName } from "./group-name";
import { useBeginTo } from "./use-begin-to";

interface EngagedPeopleProps {
  batch: Batch;
  counts: BatchGroups;
  onRefused: () => void;
  /** What is said and can be done about those who wrote. */
  replied: { text: ReactNode; action: ReactNode };
}

/** What those who were reached did with the message, each with the way to a new batch to them. */
export function EngagedPeople({ batch, counts, onRefused, replied }: EngagedPeopleProps) {
  const { t } = useTranslation("batches");
  const { unread, read, replied: wrote, repliedUnreported, mayWantToStop } = counts;
  if (unread + read + wrote === 0) return null;
  const common = { batch, onRefused };
  const ofReplied = [
    t("groups.repliedText"),
    repliedUnreported > 0 && t("retarget.unreported", { count: repliedUnreported }),
    mayWantToStop > 0 && t("groups.wishes", { count: mayWantToStop }),
  ];
  return (
    <div className={classes.engaged}>
      <ul aria-label={t("retarget.title")}>
        {unread > 0 && (
          <Engaged
            {...common}
            engagement="unread"
            name={t("retarget.unread")}
            people={unread}
            text={t("retarget.unreadText")}
          />
        )}
        {read > 0 && (
          <Engaged
            {...common}
            engagement="read"
            name={t("retarget.read")}
            people={read}
            text={t("retarget.readText")}
          />
        )}
        {wrote > 0 && (
          <Engaged
            {...common}
            engagement="replied"
            name={t("groups.replied")}
            people={wrote}
            text={ofReplied.filter(Boolean).join(" ")}
            more={replied.text}
          >
            {replied.action}
          </Engaged>
        )}
      </ul>
      <p className={classes.text}>{t("retarget.note")}</p>
    </div>
  );
}

interface EngagedProps extends Pick<EngagedPeopleProps, "batch" | "onRefused"> {
  engagement: Engagement;
  name: string;
  people: number;
  text: string;
  more?: ReactNode;
  children?: ReactNode;
}

function Engaged({ batch, engagement, name, people, text, more, onRefused, children }: EngagedProps) {
  const { t } = useTranslation("batches");
  const { begin, isPending } = useBeginTo(batch, engagement, onRefused);
  return (
    <li>
      <div>
        <GroupName name={name} people={people} text={text} />
        {more}
      </div>
      {children}
      <Button
        size="compact-sm"
        variant="light"
        leftSection={<IconUsers size={15} aria-hidden />}
        loading={isPending}
        onClick={begin}
      >
        {t("retarget.run")}
      </Button>
    </li>
  );
}
