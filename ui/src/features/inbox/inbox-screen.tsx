import { Badge, Button } from "@mantine/core";
import { IconMessages } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ContactRow } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { ProjectionBar } from "@/components/projection-bar";
import { VirtualList } from "@/components/virtual-list";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { Conversation } from "./conversation";
import classes from "./inbox.module.css";

/** Who wrote to the workspace, and what was said to and fro. */
export function InboxScreen() {
  const { t } = useTranslation("inbox");
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { contact: asked } = useSearch({ from: "/inbox" });
  const contacts = useQuery(queries.contacts(workspace.id));
  const open = contacts.data?.find(({ contact }) => contact === asked);
  return (
    <>
      <PageHeader title={t("title")} detail={t("detail")} />
      <ProjectionBar />
      {contacts.error && <ErrorNotice error={contacts.error} onRetry={() => void contacts.refetch()} />}
      {contacts.isPending && <Loading />}
      {contacts.data?.length === 0 && (
        <Empty
          Icon={IconMessages}
          title={t("empty.title")}
          text={t(workspace.sandbox ? "empty.sandbox" : "empty.text")}
        >
          {workspace.sandbox ? (
            <Button variant="default" renderRoot={(props) => <Link to="/phone" {...props} />}>
              {t("empty.toPhone")}
            </Button>
          ) : (
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/activity" search={{ view: "receiver" }} {...props} />}
            >
              {t("empty.toReceiver")}
            </Button>
          )}
        </Empty>
      )}
      {contacts.data !== undefined && contacts.data.length > 0 && (
        <div className={classes.split}>
          <div className={classes.contacts}>
            <VirtualList
              rows={contacts.data}
              rowKey={({ contact }) => contact}
              rowHeight={60}
              label={t("contacts")}
              rowLabel={(row) => (row.unread > 0 ? t("unread", { name: nameOf(row), count: row.unread }) : nameOf(row))}
              selected={asked}
              onOpen={({ contact }) => void navigate({ to: "/inbox", search: { contact } })}
              memory={`contacts ${workspace.id}`}
            >
              {(row) => <Contact row={row} />}
            </VirtualList>
          </div>
          {asked === undefined ? (
            <div className={classes.nobody}>
              <Empty Icon={IconMessages} title={t("choose.title")} text={t("choose.text")} />
            </div>
          ) : (
            <Conversation
              key={`${workspace.id} ${asked}`}
              workspace={workspace.id}
              contact={asked}
              name={open ? nameOf(open) : asked}
            />
          )}
        </div>
      )}
    </>
  );
}

function nameOf({ contact, name }: ContactRow): string {
  return name === "" ? contact : name;
}

function Contact({ row }: { row: ContactRow }) {
  return (
    <div className={classes.contact}>
      <div className={classes.words}>
        <span className={classes.name} data-unread={row.unread > 0 || undefined}>
          {nameOf(row)}
        </span>
        <span className={classes.excerpt}>{row.excerpt}</span>
      </div>
      <div className={classes.side}>
        <Instant at={row.lastAt} />
        {row.unread > 0 && (
          <Badge size="sm" circle={row.unread < 10}>
            {row.unread}
          </Badge>
        )}
      </div>
    </div>
  );
}
