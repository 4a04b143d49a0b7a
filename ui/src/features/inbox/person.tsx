// A person of a conversation as the address book knows them.

import { ActionIcon, Badge, Tooltip, UnstyledButton } from "@mantine/core";
import { IconAddressBook } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { showFailure } from "@/components/show-failure";
import styles from "@/components/styles.module.css";
import { useRecipientForm } from "@/components/use-recipient-form";
import { toFailure } from "@/lib/ipc/errors";
import { queries } from "@/lib/ipc/queries";
import classes from "./inbox.module.css";

interface PersonProps {
  workspace: string;
  /** The number as people write it. */
  number: string;
  /** What they are called, if that is known. */
  name: string;
}

/** Opens the form of the person, in the address book or to be added to it, over the conversation. */
function useOpenPerson({ workspace, number, name }: PersonProps): () => void {
  const client = useQueryClient();
  const openForm = useRecipientForm(workspace);
  // What was read before may have been changed since: the form would put it back.
  const latest = { ...queries.recipients({ workspace, number }), staleTime: 0 };
  return () =>
    void client.fetchQuery(latest).then(
      ({ rows, labels }) => openForm({ recipient: rows[0], labels, suggested: { name, number } }),
      (reason: unknown) => showFailure(toFailure(reason)),
    );
}

export function PersonButton(person: PersonProps) {
  const { t } = useTranslation("inbox");
  const open = useOpenPerson(person);
  return (
    <Tooltip label={t("toAddressBook")}>
      <ActionIcon aria-label={t("toAddressBook")} onClick={open}>
        <IconAddressBook size={18} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Their labels and the start of the note about them; the whole note while the pointer or the focus is on it. */
export function PersonNote(person: PersonProps) {
  const { workspace, number } = person;
  const { t } = useTranslation("inbox");
  const open = useOpenPerson(person);
  const book = useQuery(queries.recipients({ workspace, number }));
  const known = book.isPlaceholderData ? undefined : book.data?.rows[0];
  if (!known || (known.labels.length === 0 && known.note === "")) return null;
  return (
    <div className={classes.person}>
      {known.labels.map((label) => (
        <Badge key={label} size="sm" variant="light" color="gray">
          {label}
        </Badge>
      ))}
      {known.note !== "" && (
        <Tooltip
          label={<span className={classes.wholeNote}>{known.note}</span>}
          multiline
          maw="28rem"
          events={{ hover: true, focus: true, touch: true }}
        >
          <UnstyledButton
            className={`${classes.note} ${styles.truncate}`}
            aria-label={t("note", { note: known.note, nest: false })}
            onClick={open}
            dir="auto"
          >
            {known.note}
          </UnstyledButton>
        </Tooltip>
      )}
    </div>
  );
}
