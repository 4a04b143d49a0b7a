import { Button, Group, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch, IconTemplate } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TemplateRow } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { useCategoryText } from "@/components/status-badge";
import { hasSeveralAccounts } from "@/components/template-filters/template-filters";
import { Toolbar } from "@/components/toolbar";
import { VirtualList } from "@/components/virtual-list";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useLanguageName } from "@/lib/language-name";
import { useNumberName } from "@/lib/number-names";
import { useRowWindow } from "@/lib/row-window";
import { templateQuery } from "@/lib/template-filter";
import { useWabaName } from "@/lib/waba-names";
import classes from "./sends.module.css";

interface TemplateChoiceProps {
  /** The number that is to send it, if that is decided: what it cannot send is left out at first. */
  from?: string | undefined;
  onChoose: (reference: string) => void;
}

/** The templates that can be sent now, by name: approved and not archived. */
export function TemplateChoice({ from, onChoose }: TemplateChoiceProps) {
  const { t } = useTranslation("sends");
  const category = useCategoryText();
  const workspace = useWorkspace();
  const languageName = useLanguageName();
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 80);
  const { offset, limit, onRange } = useRowWindow();
  const [showAll, setShowAll] = useState(false);
  const number = useNumberName()(from ?? "") ?? from;
  const sendableFrom = showAll ? undefined : from;
  const query = {
    ...templateQuery(workspace.id, { q: search, status: "APPROVED", sort: "name" }),
    ...(sendableFrom === undefined ? {} : { sendableFrom }),
  };
  const templates = useQuery(queries.templates(query, offset, limit));
  const rows = templates.data?.rows;
  const withAccounts = hasSeveralAccounts(templates.data?.facets);
  const wabaName = useWabaName(workspace.id);
  const accounts = ({ wabas }: TemplateRow) => (withAccounts ? wabas.map(wabaName).join(", ") : "");
  return (
    <>
      <Toolbar
        search={
          <TextInput
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              const first = rows?.[0];
              if (event.key === "Enter" && first && search === typed.trim()) onChoose(first.reference);
            }}
            leftSection={<IconSearch size={16} aria-hidden />}
            placeholder={t("choose.search")}
            aria-label={t("choose.search")}
            data-autofocus
          />
        }
      />
      {sendableFrom !== undefined && (
        <Group gap="0.25rem 0.75rem" className={`${classes.reply} ${classes.between}`}>
          <span>{t("reply.onlyFrom", { number, nest: false })}</span>
          <Button size="compact-sm" variant="subtle" onClick={() => setShowAll(true)}>
            {t("reply.all")}
          </Button>
        </Group>
      )}
      {templates.error && <ErrorNotice error={templates.error} onRetry={() => void templates.refetch()} />}
      {rows === undefined && !templates.error && <Loading />}
      {rows?.length === 0 && (
        <Empty
          Icon={IconTemplate}
          title={
            search !== "" || sendableFrom === undefined
              ? t(search === "" ? "choose.empty" : "choose.nothing", { search })
              : t("reply.empty", { number, nest: false })
          }
          text={t("choose.emptyText")}
        >
          <Button variant="default" renderRoot={(props) => <Link to="/templates" {...props} />}>
            {t("choose.toTemplates")}
          </Button>
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <div className={classes.frame}>
          <VirtualList
            rows={rows}
            rowKey={({ reference }) => reference}
            rowHeight={60}
            label={t("choose.title")}
            rowLabel={(row) => [row.name, languageName(row.language), accounts(row)].filter(Boolean).join(", ")}
            onOpen={({ reference }) => onChoose(reference)}
            offset={templates.data?.offset}
            total={templates.data?.total}
            onRange={onRange}
            memory={`send choice ${workspace.id}`}
          >
            {(row) => (
              <div className={classes.row}>
                <div className={classes.words}>
                  <span className={classes.recipient}>{row.name}</span>
                  <span className={classes.template}>{row.excerpt}</span>
                </div>
                <span className={`${classes.template} ${classes.category}`}>{category(row.category)}</span>
                <span className={`${classes.template} ${classes.language}`}>{languageName(row.language)}</span>
                {withAccounts && (
                  <span className={`${classes.template} ${classes.account}`} title={accounts(row)}>
                    {accounts(row)}
                  </span>
                )}
              </div>
            )}
          </VirtualList>
        </div>
      )}
    </>
  );
}
