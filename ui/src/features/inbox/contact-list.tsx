import { Badge } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ContactRow } from "@/bindings/app";
import { Instant } from "@/components/instant";
import styles from "@/components/styles.module.css";
import { VirtualList } from "@/components/virtual-list";
import classes from "./inbox.module.css";
import { KindIcon, useKindText } from "./kinds";

interface ContactListProps {
  rows: ContactRow[];
  /** Whether the number that was written to is shown. */
  severalNumbers: boolean;
  selected: string | undefined;
  onOpen: (row: ContactRow) => void;
  onEnd: () => void;
  memory: string;
}

/** Who wrote, who wrote last first. */
export function ContactList({ rows, severalNumbers, selected, onOpen, onEnd, memory }: ContactListProps) {
  const { t } = useTranslation("inbox");
  return (
    <VirtualList
      rows={rows}
      rowKey={({ contact }) => contact}
      rowHeight={64}
      label={t("contacts")}
      rowLabel={(row) => (row.unread > 0 ? t("unread", { name: nameOf(row), count: row.unread }) : nameOf(row))}
      selected={selected}
      onOpen={onOpen}
      onEnd={onEnd}
      memory={memory}
    >
      {(row) => <Contact row={row} severalNumbers={severalNumbers} />}
    </VirtualList>
  );
}

export function nameOf({ contact, name }: ContactRow): string {
  return name === "" ? contact : name;
}

function Contact({ row, severalNumbers }: { row: ContactRow; severalNumbers: boolean }) {
  const kindText = useKindText();
  const { lastKind, excerpt, number, unread, lastAt } = row;
  const plain = lastKind === "text" || lastKind === "";
  return (
    <div className={classes.contact}>
      <div className={`${styles.column} ${styles.grow}`}>
        <span className={classes.name} data-unread={unread > 0 || undefined}>
          {nameOf(row)}
        </span>
        <span className={classes.excerpt}>
          {!plain && <KindIcon kind={lastKind} size={13} />}
          <span className={styles.truncate}>{excerpt || (plain ? "" : kindText(lastKind))}</span>
        </span>
      </div>
      <div className={classes.side}>
        <Instant at={lastAt} />
        <span className={classes.marks}>
          {severalNumbers && number && <span className={classes.rowNumber}>{number}</span>}
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
