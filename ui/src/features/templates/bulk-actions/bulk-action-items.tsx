import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BulkAction, BulkActionItem, BulkActionKind, ItemState } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { useLanguageName } from "@/lib/language-name";
import { templatesQueries } from "../queries";
import classes from "./bulk-actions.module.css";

/** The templates of a bulk action that are in a state, with the reason of each. */
export function BulkActionItems({
  bulkAction,
  state,
  label,
}: {
  bulkAction: BulkAction;
  state: ItemState;
  label: string;
}) {
  const { t } = useTranslation("bulkActions");
  const list = useInfiniteQuery(templatesQueries.bulkActionItems(bulkAction.workspace, bulkAction.id, state));
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {list.isPending && <Loading rows={2} />}
      {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: many templates scroll, and must do so by keyboard */}
      <ul className={classes.items} tabIndex={0} aria-label={label}>
        {items.map((item) => (
          <li key={item.position}>
            <Item action={bulkAction.action} item={item} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t("moreItems")}
        </Button>
      )}
    </>
  );
}

function Item({ action, item }: { action: BulkActionKind; item: BulkActionItem }) {
  const { t } = useTranslation("bulkActions");
  const languageName = useLanguageName();
  const { name, language, reference, state, error } = item;
  const who = (
    <>
      <b>{name === "" ? reference : name}</b> · {languageName(language)}
    </>
  );
  if (state === "skipped") {
    return (
      <>
        {who} — {t(error?.code === "notFound" ? "plan.gone" : `plan.already.${action}`)}
      </>
    );
  }
  if (error == null) {
    return (
      <>
        {who}
        {state === "unknown" && <> — {t("unknown.item")}</>}
      </>
    );
  }
  return (
    <details>
      <summary>
        {who} — {t(`${error.code}.title`, { ns: "errors", ...error })}
      </summary>
      <ErrorNotice error={error} />
    </details>
  );
}
