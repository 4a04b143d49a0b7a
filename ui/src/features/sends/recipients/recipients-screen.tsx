import { ActionIcon, Badge, Button, Checkbox, Tooltip } from "@mantine/core";
import {
  IconAddressBook,
  IconDownload,
  IconFilterOff,
  IconSend,
  IconTrash,
  IconUpload,
  IconUserPlus,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { LabelCount, Recipient } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { nameOf } from "@/components/recipient-form";
import { SearchField } from "@/components/search-field";
import { Toolbar } from "@/components/toolbar";
import { useRecipientForm } from "@/components/use-recipient-form";
import { VirtualList } from "@/components/virtual-list";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { chooseRecipients } from "../batches/draft";
import { focusHeading } from "../focus-heading";
import sends from "../sends.module.css";
import { SendsTabs } from "../sends-tabs";
import { SendsTitle } from "../sends-title";
import { LabelFilter } from "./label-filter";
import classes from "./recipients.module.css";
import { useDelete } from "./use-delete";
import { useExport } from "./use-export";
import { useImport } from "./use-import";
import { useMarked } from "./use-marked";

const route = getRouteApi("/sends/recipients");

/** The address book of the workspace. */
export function RecipientsScreen() {
  const { id } = useWorkspace();
  // Another workspace is another address book, of which nobody is chosen yet.
  return <Recipients key={id} workspace={id} />;
}

function Recipients({ workspace }: { workspace: string }) {
  const { t } = useTranslation("batches");
  const { q, label } = route.useSearch();
  const navigate = useNavigate();
  const query = { workspace, search: q ?? null, label: label ?? null };
  const book = useQuery(queries.recipients(query));
  const { marked, toggle, add, remove, clear } = useMarked();
  const askDelete = useDelete(workspace, remove);
  const count = useRef<HTMLSpanElement>(null);
  const rows = book.data?.rows;
  const labels = book.data?.labels ?? [];
  const importing = useImport(
    workspace,
    labels.map((one) => one.label),
  );
  const exporting = useExport(query);
  const filtered = q !== undefined || label !== undefined;

  const openForm = useRecipientForm(workspace);
  const edit = (recipient?: Recipient) => openForm({ recipient, labels });
  const send = (ids: string[]) => {
    chooseRecipients(workspace, ids);
    void navigate({ to: "/sends/batches/new", search: {} });
  };
  const addButton = (
    <Button leftSection={<IconUserPlus size={15} aria-hidden />} onClick={() => edit()}>
      {t("recipient.add")}
    </Button>
  );

  const importButton = (
    <Button
      variant="default"
      leftSection={<IconUpload size={15} aria-hidden />}
      loading={importing.isChoosing}
      onClick={importing.start}
    >
      {t("import.choose")}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={<SendsTitle view="recipients" />}
        aside={<SendsTabs view="recipients" />}
        detail={t("recipients.detail")}
      >
        {importButton}
        <Button
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          loading={exporting.isPending}
          disabled={!rows || rows.length === 0}
          onClick={() => exporting.run()}
        >
          {t("exportPeople.run")}
        </Button>
        {addButton}
      </PageHeader>
      {(filtered || (rows !== undefined && rows.length > 0)) && <Filters labels={labels} />}
      {marked.size > 0 && (
        <div className={classes.marked}>
          <span role="status" tabIndex={-1} ref={count}>
            {t("marked.count", { count: marked.size })}
          </span>
          <Button
            size="compact-sm"
            leftSection={<IconSend size={14} aria-hidden />}
            onClick={() => send([...marked.keys()])}
          >
            {t("marked.send", { count: marked.size })}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            loading={exporting.isPending}
            onClick={() => exporting.run([...marked.keys()])}
          >
            {t("exportPeople.marked", { count: marked.size })}
          </Button>
          <Button
            size="compact-sm"
            variant="light"
            color="red"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={() => askDelete([...marked.values()])}
          >
            {t("marked.delete", { count: marked.size })}
          </Button>
          {rows?.some(({ id }) => !marked.has(id)) && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                add(rows);
                // The button is gone with nothing left to choose.
                count.current?.focus();
              }}
            >
              {t("marked.all", { count: rows.length })}
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              clear();
              focusHeading();
            }}
          >
            {t("marked.none")}
          </Button>
        </div>
      )}
      {book.error && <ErrorNotice error={book.error} onRetry={() => void book.refetch()} />}
      {rows === undefined && !book.error && <Loading rows={10} rowHeight={56} />}
      {rows?.length === 0 &&
        (filtered ? (
          <Empty Icon={IconFilterOff} title={t("recipients.nothing")} text={t("recipients.nothingText")}>
            <Button
              variant="default"
              onClick={() => void navigate({ to: "/sends/recipients", search: {}, replace: true })}
            >
              {t("recipients.clear")}
            </Button>
          </Empty>
        ) : (
          <Empty Icon={IconAddressBook} title={t("recipients.empty")} text={t("recipients.emptyText")}>
            {addButton}
            {importButton}
          </Empty>
        ))}
      {rows !== undefined && rows.length > 0 && (
        <div className={sends.frame}>
          <VirtualList
            rows={rows}
            rowKey={({ id }) => id}
            rowHeight={56}
            label={t("view.recipients")}
            rowLabel={(row) =>
              [
                row.name,
                row.formatted || row.number,
                row.stoppedMarketing ? t("recipients.stopped") : "",
                ...row.labels,
              ]
                .filter((word) => word !== "")
                .join(", ")
            }
            marked={({ id }) => marked.has(id)}
            onMark={toggle}
            onOpen={edit}
            memory={`recipients ${JSON.stringify(query)}`}
          >
            {(row) => (
              <Row row={row} marked={marked.has(row.id)} onMark={() => toggle(row)} onDelete={() => askDelete([row])} />
            )}
          </VirtualList>
        </div>
      )}
    </>
  );
}

interface RowProps {
  row: Recipient;
  marked: boolean;
  onMark: () => void;
  onDelete: () => void;
}

function Row({ row, marked, onMark, onDelete }: RowProps) {
  const { t } = useTranslation("batches");
  const name = nameOf(row);
  return (
    <div className={sends.row}>
      <Checkbox
        size="xs"
        tabIndex={-1}
        aria-label={t("marked.one", { name })}
        checked={marked}
        onChange={onMark}
        onClick={(event) => event.stopPropagation()}
      />
      <div className={sends.words}>
        <span className={sends.recipient}>{name}</span>
        <span className={sends.template}>
          {row.name !== "" && (row.formatted || row.number)}
          {row.name !== "" && row.note !== "" && " · "}
          {row.note}
        </span>
      </div>
      <span className={classes.labels}>
        {row.stoppedMarketing && (
          <Badge size="sm" variant="light" color="orange">
            {t("recipients.stopped")}
          </Badge>
        )}
        {row.labels.map((label) => (
          <Badge key={label} size="sm" variant="light" color="gray">
            {label}
          </Badge>
        ))}
      </span>
      <span className={classes.sent}>
        {row.lastSentAt == null ? (
          t("recipients.neverSent")
        ) : (
          <>
            {t("recipients.lastSent")} <Instant at={row.lastSentAt} />
          </>
        )}
      </span>
      <Tooltip label={t("delete.one", { name })}>
        <ActionIcon
          tabIndex={-1}
          aria-label={t("delete.one", { name })}
          onClick={(event) => {
            event.stopPropagation();
            onDelete();
          }}
        >
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

function Filters({ labels }: { labels: LabelCount[] }) {
  const { t } = useTranslation("batches");
  const { q = "", label } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: { q?: string | undefined; label?: string | undefined }) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...part }).filter(([, value]) => value !== undefined && value !== ""),
        ),
      replace: true,
    });
  return (
    <Toolbar
      search={
        <SearchField
          value={q}
          onChange={(words) => change({ q: words })}
          label={t("recipients.search")}
          clearLabel={t("recipients.clearSearch")}
        />
      }
    >
      <LabelFilter labels={labels} value={label} onChange={(next) => change({ label: next })} />
    </Toolbar>
  );
}
