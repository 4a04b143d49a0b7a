import { Button, Group, Modal } from "@mantine/core";
import { IconFileExport } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { showFailure } from "@/components/show-failure";
import { showSavedFile } from "@/components/show-saved-file";
import { useCommand } from "@/lib/ipc/mutations";
import { sendsQueries } from "../queries";
import classes from "./batches.module.css";

interface BatchRepliesProps {
  batch: string;
  onClose: () => void;
  /** What is said above the list. */
  children?: ReactNode;
}

/** Who wrote after their message was sent, each with the way to the conversation. */
export function BatchReplies({ batch, onClose, children }: BatchRepliesProps) {
  const { t } = useTranslation("batches");
  const found = useQuery(sendsQueries.batchReplies(batch));
  const write = useCommand("export_batch_replies");
  const save = () =>
    write.mutate(
      { batch },
      { onSuccess: (file) => file && showSavedFile(t("replies.saved"), file.path), onError: showFailure },
    );
  return (
    <Modal opened onClose={onClose} title={t("replies.title")} size="lg">
      {found.error && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Loading />}
      {children}
      <ul className={classes.replies} aria-label={t("replies.title")}>
        {found.data?.people.map(({ row, contact, name, formatted, text, tapped, at, mayWantToStop }) => (
          <li key={row}>
            <Link to="/inbox" search={{ contact }}>
              {name || formatted}
            </Link>
            <span className={classes.quiet} dir="auto">
              {text}
              {tapped && tapped !== text && ` · ${t("replies.tapped", { button: tapped, nest: false })}`}
              {mayWantToStop && <strong> · {t("replies.wish")}</strong>}
            </span>
            <Instant at={at} format="moment" />
          </li>
        ))}
      </ul>
      <Group justify="flex-end" mt="md">
        <Button
          variant="default"
          leftSection={<IconFileExport size={15} aria-hidden />}
          loading={write.isPending}
          onClick={save}
        >
          {t("replies.save")}
        </Button>
      </Group>
    </Modal>
  );
}
