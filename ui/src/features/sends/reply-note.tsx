import { IconArrowBackUp } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useNumberName } from "@/lib/number-names";
import { personName, usePeople } from "./people";
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
  const people = usePeople(workspace, sandbox);
  if (reply === undefined || written === undefined || (typed && typed.to !== reply)) return null;
  const name = personName(people, reply);
  const nameOf = (number: string) => numberName(number) ?? number;
  const number = typed?.number ?? written;
  return (
    <p className={typed ? classes.reply : `${classes.reply} ${classes.between}`}>
      <IconArrowBackUp size={16} stroke={1.7} aria-hidden />
      <span>
        {number === written || number === ""
          ? t("reply.answering", { name, number: nameOf(written), nest: false })
          : t("reply.other", { name, number: nameOf(number), written: nameOf(written), nest: false })}
      </span>
    </p>
  );
}
