import { Badge, useComputedColorScheme } from "@mantine/core";
import { IconUser } from "@tabler/icons-react";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import type { ContactRow } from "@/bindings/app";
import { Instant } from "@/components/instant";
import { MessageKindIcon, useMessageKindText } from "@/components/message-kind";
import phone from "@/components/phone/phone.module.css";
import { Ticks } from "@/components/phone/ticks";
import styles from "@/components/styles.module.css";
import { VirtualList, type VirtualListHandle } from "@/components/virtual-list";
import { useWorkspace } from "@/lib/desk";
import classes from "./inbox.module.css";
import { draftOf } from "./reply-drafts";
import { WindowMark } from "./window-note";

interface ContactListProps {
  rows: ContactRow[];
  /** Name of the number that is not shown, because most messages are with it. */
  mainNumber: string | undefined;
  selected: string | undefined;
  onOpen: (row: ContactRow) => void;
  onEnd: () => void;
  memory: string;
  handle: Ref<VirtualListHandle>;
}

/** Pixels. */
export const ROW_HEIGHT = 68;

/** The conversations, the one with the newest message first. */
export function ContactList({ rows, mainNumber, selected, onOpen, onEnd, memory, handle }: ContactListProps) {
  const { t } = useTranslation("inbox");
  return (
    <VirtualList
      rows={rows}
      rowKey={({ contact }) => contact}
      rowHeight={ROW_HEIGHT}
      label={t("contacts")}
      rowLabel={(row) => (row.unread > 0 ? t("unread", { name: nameOf(row), count: row.unread }) : nameOf(row))}
      selected={selected}
      onOpen={onOpen}
      onEnd={onEnd}
      memory={memory}
      newest={rows[0]?.lastAt}
      handle={handle}
    >
      {(row) => <Contact row={row} mainNumber={mainNumber} isOpen={row.contact === selected} />}
    </VirtualList>
  );
}

function nameOf({ formatted, name }: ContactRow): string {
  return name === "" ? formatted : name;
}

/** The first letters of the first and the last name. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const letters = [words.at(0), words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toLocaleUpperCase();
}

interface ContactProps extends Pick<ContactListProps, "mainNumber"> {
  row: ContactRow;
  isOpen: boolean;
}

function Contact({ row, mainNumber, isOpen }: ContactProps) {
  const kindText = useMessageKindText();
  const scheme = useComputedColorScheme("light");
  const { t } = useTranslation("inbox");
  const { id } = useWorkspace();
  // What is being written is in its own field.
  const draft = isOpen ? "" : draftOf(id, row.contact).trim();
  const { lastKind, excerpt, number, unread, lastAt, outgoing, state } = row;
  const plain = lastKind === "text" || lastKind === "template" || lastKind === "";
  return (
    <div className={`${phone.palette} ${classes.contact}`} data-scheme={scheme}>
      <span className={classes.avatar} aria-hidden>
        {initialsOf(row.name) || <IconUser size={20} stroke={1.6} />}
      </span>
      <div className={`${styles.column} ${styles.grow}`}>
        <span className={classes.name} data-unread={unread > 0 || undefined} dir="auto">
          {nameOf(row)}
        </span>
        <span className={classes.excerpt}>
          {draft !== "" && <strong className={classes.draft}>{t("draft")}</strong>}
          {draft === "" && outgoing && state && <Ticks state={state} />}
          {draft === "" && !plain && <MessageKindIcon kind={lastKind} size={13} />}
          <span className={styles.truncate} dir="auto">
            {draft || excerpt || (plain ? "" : kindText(lastKind))}
          </span>
        </span>
        {number && number !== mainNumber && <span className={classes.rowNumber}>{number}</span>}
      </div>
      <div className={classes.side}>
        <span className={classes.time} data-unread={unread > 0 || undefined}>
          <Instant at={lastAt} format="day" />
        </span>
        <span className={classes.marks}>
          {row.window && <WindowMark window={row.window} />}
          {unread > 0 && (
            <Badge size="sm" circle={unread < 10}>
              {unread}
            </Badge>
          )}
        </span>
      </div>
    </div>
  );
}
