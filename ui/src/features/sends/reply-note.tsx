import { IconArrowBackUp } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { explicitNumber } from "@/lib/explicit-number";
import { useNumberName } from "@/lib/number-names";
import { usePeople } from "./people";
import classes from "./sends.module.css";

const route = getRouteApi("/sends/new");

interface ReplyNoteProps {
  workspace: string;
  sandbox: boolean;
  /** What is filled in; absent while the template is chosen. */
  typed?: { to: string; number: string };
}

/** Who is answered, and from which number; nothing where the message is no reply. */
export function ReplyNote({ workspace, sandbox, typed }: ReplyNoteProps) {
  const { t } = useTranslation("sends");
  const { to, reply = to, number: written } = route.useSearch();
  const numberName = useNumberName();
  const people = usePeople(workspace, sandbox).flatMap((group) => group.people);
  if (reply === undefined || written === undefined || (typed && typed.to !== reply)) return null;
  const person = people.find(({ number }) => explicitNumber(number) === reply);
  const name = person?.name || person?.formatted || reply;
  const nameOf = (number: string) => numberName(number) ?? number;
  const number = typed?.number ?? written;
  return (
    <p className={classes.reply}>
      <IconArrowBackUp size={16} stroke={1.7} aria-hidden />
      <span>
        {number === written || number === ""
          ? t("reply.answering", { name, number: nameOf(written), nest: false })
          : t("reply.other", { name, number: nameOf(number), written: nameOf(written), nest: false })}
      </span>
    </p>
  );
}
