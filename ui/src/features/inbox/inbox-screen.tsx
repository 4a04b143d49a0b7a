import { Button, Chip, Group, Select, VisuallyHidden } from "@mantine/core";
import { IconMessages, IconPencilPlus, IconSearch } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BusinessNumber, ContactRow } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { ProjectionBar } from "@/components/projection-bar";
import { SearchField } from "@/components/search-field";
import { showFailure } from "@/components/show-failure";
import { SplitView } from "@/components/split-view";
import styles from "@/components/styles.module.css";
import { Toolbar } from "@/components/toolbar";
import type { VirtualListHandle } from "@/components/virtual-list";
import { useNarrowerThan } from "@/lib/appearance";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { ContactList, ROW_HEIGHT } from "./contact-list";
import { Conversation } from "./conversation";
import { filterOf, isFiltered, isUnanswered, route, withSearch } from "./filter";
import { FoundMessages } from "./found-messages";
import classes from "./inbox.module.css";
import { inboxQueries } from "./queries";
import { useEscape } from "./use-escape";
import { useKeptFilter } from "./use-kept-filter";

/** The conversations of the workspace. */
export function InboxScreen() {
  const { t } = useTranslation("inbox");
  const navigate = route.useNavigate();
  const workspace = useWorkspace();
  const search = route.useSearch();
  const { contact: asked } = search;
  const filter = filterOf(workspace.id, search);
  const isReady = useKeptFilter(workspace.id);
  const contacts = useInfiniteQuery({ ...inboxQueries.contacts(filter), enabled: isReady });
  const rows = isReady ? contacts.data?.pages.flatMap((page) => page.rows) : undefined;
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = contacts;
  const numbers = contacts.data?.pages[0]?.numbers ?? [];
  const open = useOpenContact(asked, rows);
  const list = useRef<VirtualListHandle>(null);
  const close = () => {
    void navigate({ search: (before) => withSearch(before, { contact: undefined, message: undefined }) });
    list.current?.focus();
  };
  useEscape(asked !== undefined, close);
  const { mutate: markUnread } = useCommand("mark_unread");
  const leaveUnread = (contact: string) => {
    close();
    markUnread({ workspace: workspace.id, contact }, { onError: showFailure });
  };
  const loadMore = () => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  };
  const isOneColumn = useNarrowerThan(ONE_COLUMN);
  const isAlone = isOneColumn && asked !== undefined;
  useFocusOnReturn(isAlone, list);
  useTopOfNewer(rows?.[0]?.lastAt, contacts.isFetchedAfterMount, list);
  const nobody = rows?.length === 0 && !hasNextPage;
  const memory = `contacts ${JSON.stringify(filter)}`;

  return (
    <>
      {isAlone ? (
        <VisuallyHidden component="h1" tabIndex={-1}>
          {t("title")}
        </VisuallyHidden>
      ) : (
        <PageHeader title={t("title")} detail={isOneColumn ? undefined : t("detail")}>
          <Button
            variant="default"
            leftSection={<IconPencilPlus size={16} stroke={1.7} aria-hidden />}
            renderRoot={(props) => <Link to="/sends/new" {...props} />}
          >
            {t("newMessage")}
          </Button>
        </PageHeader>
      )}
      <ProjectionBar />
      {contacts.error && (
        <ErrorNotice
          error={contacts.error}
          onRetry={() => void (isFetchNextPageError ? fetchNextPage() : contacts.refetch())}
        />
      )}
      {nobody && !isFiltered(search) && asked === undefined ? (
        <Nobody sandbox={workspace.sandbox} everyone={search.people === "everyone"} />
      ) : (
        <SplitView
          list={
            !isAlone && (
              <>
                <Filters numbers={numbers} />
                {contacts.isPending && <Loading rows={10} rowHeight={ROW_HEIGHT} />}
                {nobody &&
                  (filter.search != null ? (
                    <NoContact />
                  ) : isFiltered(search) ? (
                    <Empty Icon={IconSearch} title={t("nobodyFits.title")} text={t("nobodyFits.text")} />
                  ) : (
                    <Nobody sandbox={workspace.sandbox} everyone={search.people === "everyone"} />
                  ))}
                {rows !== undefined && rows.length > 0 && (
                  <ContactList
                    // Another list begins at its top.
                    key={memory}
                    rows={rows}
                    mainNumber={numbers[0]?.name}
                    selected={asked}
                    onOpen={({ contact }) =>
                      void navigate({ search: (before) => withSearch(before, { contact, message: undefined }) })
                    }
                    onEnd={loadMore}
                    handle={list}
                    memory={memory}
                  />
                )}
                {filter.search != null && <FoundMessages workspace={workspace.id} words={filter.search} />}
                {/* The host looks at some thousand contacts at a time: a page may hold few of them, or none. */}
                {hasNextPage && rows !== undefined && rows.length < FEW && (
                  <div className={classes.loadMore}>
                    <Button variant="default" loading={contacts.isFetchingNextPage} onClick={loadMore}>
                      {t("searchOn")}
                    </Button>
                  </div>
                )}
              </>
            )
          }
        >
          {asked === undefined ? (
            !isOneColumn && (
              <div className={styles.center}>
                <Empty Icon={IconMessages} title={t("choose.title")} text={t("choose.text")} />
              </div>
            )
          ) : contacts.isPending ? (
            // What is unread is known from the list, and reading marks it.
            <Loading />
          ) : (
            <Conversation
              key={`${workspace.id} ${asked} ${search.number ?? ""}`}
              workspace={workspace.id}
              contact={asked}
              listed={open}
              unread={open?.unread ?? 0}
              found={search.message}
              severalNumbers={numbers.length > 1}
              listedNumber={numbers.find(({ id }) => id === search.number)?.id}
              onClose={close}
              onUnread={() => leaveUnread(asked)}
              isAlone={isAlone}
              onMoved={(contact) => void navigate({ search: (before) => ({ ...before, contact }), replace: true })}
            />
          )}
        </SplitView>
      )}
    </>
  );
}

/** Width in em below which there is no room for the list beside a conversation. */
const ONE_COLUMN = 48;

/** Gives the focus to the list when it takes the place of a conversation that was alone. */
function useFocusOnReturn(isAlone: boolean, list: RefObject<VirtualListHandle | null>): void {
  const wasAlone = useRef(isAlone);
  const focus = useEffectEvent(() => list.current?.focus());
  useEffect(() => {
    if (wasAlone.current && !isAlone) focus();
    wasAlone.current = isAlone;
  }, [isAlone]);
}

/** Shows the top of the list if it has newer rows than those of the last visit, with which it begins. */
function useTopOfNewer(
  newest: number | undefined,
  isFetched: boolean,
  list: RefObject<VirtualListHandle | null>,
): void {
  const [atFirst] = useState(newest);
  const isDone = useRef(false);
  const look = useEffectEvent(() => {
    if (!isDone.current && atFirst !== undefined && (newest ?? 0) > atFirst) list.current?.toTop();
    isDone.current = true;
  });
  useEffect(() => {
    if (isFetched) look();
  }, [isFetched]);
}

/** With so few rows the list does not scroll, and does not ask for more by itself. */
const FEW = 20;

/** The row of the contact that is open. It is kept when a filter takes it out of the list, such as once it is read. */
function useOpenContact(contact: string | undefined, rows: ContactRow[] | undefined): ContactRow | undefined {
  const [kept, setKept] = useState<ContactRow>();
  const listed = rows?.find((row) => row.contact === contact);
  if (listed !== undefined && listed !== kept) setKept(listed);
  return listed ?? (kept?.contact === contact ? kept : undefined);
}

function Filters({ numbers }: { numbers: BusinessNumber[] }) {
  const { t } = useTranslation("inbox");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Parameters<typeof withSearch>[1]) =>
    void navigate({ search: (before) => withSearch(before, part), replace: true });
  const { q, number, unread, people } = search;
  const known = number === undefined || numbers.some(({ id }) => id === number);
  return (
    <Toolbar
      divided
      className={classes.filters}
      search={
        <SearchField
          size="xs"
          value={q ?? ""}
          onChange={(words) => change({ q: words })}
          label={t("search")}
          clearLabel={t("clearSearch")}
        />
      }
      below={
        <Group gap="0.375rem">
          {(numbers.length > 1 || number !== undefined) && (
            <Select
              size="xs"
              className={classes.number}
              aria-label={t("number")}
              placeholder={t("allNumbers")}
              clearable
              clearButtonProps={{ "aria-label": t("allNumbers") }}
              value={number ?? null}
              onChange={(value) => change({ number: value ?? undefined })}
              data={[
                ...numbers.map(({ id, name }) => ({ value: id, label: name })),
                ...(known ? [] : [{ value: number, label: number }]),
              ]}
            />
          )}
          <Chip
            size="xs"
            checked={unread === "only"}
            onChange={(checked) => change({ unread: checked ? "only" : undefined })}
          >
            {t("unreadOnly")}
          </Chip>
          <Chip
            size="xs"
            checked={isUnanswered(search)}
            onChange={(checked) => change({ people: checked ? "unanswered" : undefined })}
          >
            {t("unanswered")}
          </Chip>
          {isUnanswered(search) && (
            <Chip
              size="xs"
              checked={people === "ending"}
              onChange={(checked) => change({ people: checked ? "ending" : "unanswered" })}
              title={t("endingHint")}
            >
              {t("ending")}
            </Chip>
          )}
          <Chip
            size="xs"
            checked={people === "everyone"}
            onChange={(checked) => change({ people: checked ? "everyone" : undefined })}
          >
            {t("everyone")}
          </Chip>
        </Group>
      }
    />
  );
}

/** That a search found no contact, and the way to those that the filters leave out. */
function NoContact() {
  const { t } = useTranslation("inbox");
  const isNarrowed = isFiltered({ ...route.useSearch(), q: undefined });
  if (!isNarrowed) return <p className={classes.noContact}>{t("nobodyFits.title")}</p>;
  return (
    <div className={classes.noContact}>
      <p>{t("nobodyFits.filtered")}</p>
      <Button
        size="compact-sm"
        variant="subtle"
        renderRoot={(props) => (
          <Link
            from="/inbox"
            search={(before) => withSearch(before, { people: undefined, number: undefined, unread: undefined })}
            replace
            {...props}
          />
        )}
      >
        {t("nobodyFits.searchAll")}
      </Button>
    </div>
  );
}

/** How messages get here. */
function Nobody({ sandbox, everyone }: { sandbox: boolean; everyone: boolean }) {
  const { t } = useTranslation("inbox");
  return (
    <Empty Icon={IconMessages} title={t("empty.title")} text={t(sandbox ? "empty.sandbox" : "empty.text")}>
      {sandbox ? (
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
      {!everyone && (
        <Button
          variant="subtle"
          renderRoot={(props) => (
            <Link from="/inbox" search={(before) => ({ ...before, people: "everyone" })} replace {...props} />
          )}
        >
          {t("empty.everyone")}
        </Button>
      )}
    </Empty>
  );
}
