import { Button, Group } from "@mantine/core";
import { IconArrowLeft, IconArrowRight, IconHelp, IconRoute } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "@/components/empty";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { SearchField } from "@/components/search-field";
import { SplitView } from "@/components/split-view";
import { helpQuery } from "@/lib/help/pages";
import type { HelpPage } from "@/lib/help/tree";
import { useStartTour } from "@/lib/tour";
import { hasWords } from "@/lib/words";
import classes from "./help.module.css";
import { Blocks } from "./help-text";

const route = getRouteApi("/help");

/** The user guide: its sections as pages, and a search over them. */
export function HelpScreen() {
  const { t, i18n } = useTranslation("help");
  const { page: id } = route.useSearch();
  const pages = useQuery(helpQuery(i18n.language)).data;
  const [words, setWords] = useState("");
  const startTour = useStartTour();
  const at = Math.max(0, pages?.findIndex((page) => page.id === id) ?? 0);
  const page = pages?.[at];
  const found = pages?.filter(({ title, group, text }) => hasWords(`${title} ${group} ${text}`, words)) ?? [];
  return (
    <>
      <PageHeader title={t("title")}>
        <Button variant="default" leftSection={<IconRoute size={16} />} onClick={startTour}>
          {t("start", { ns: "tour" })}
        </Button>
      </PageHeader>
      {pages === undefined || page === undefined ? (
        <Loading />
      ) : (
        <SplitView
          list={
            <div className={classes.side}>
              <SearchField
                value={words}
                onChange={setWords}
                label={t("search")}
                clearLabel={t("clearSearch", { ns: "filters" })}
              />
              <nav aria-label={t("contents")} className={classes.contents}>
                {found.length === 0 && <Empty Icon={IconHelp} title={t("nothing")} text={t("nothingText")} />}
                <Contents pages={found} current={page.id} />
              </nav>
            </div>
          }
        >
          <Page page={page} before={pages[at - 1]} after={pages[at + 1]} />
        </SplitView>
      )}
    </>
  );
}

function Contents({ pages, current }: { pages: HelpPage[]; current: string }) {
  const groups = [...new Set(pages.map(({ group }) => group))];
  return groups.map((group) => (
    <section key={group} aria-label={group || undefined}>
      {group !== "" && <h2>{group}</h2>}
      <ul>
        {pages
          .filter((page) => page.group === group)
          .map(({ id, title }) => (
            <li key={id}>
              <Link
                to="/help"
                search={{ page: id }}
                className={classes.entry}
                aria-current={id === current ? "page" : undefined}
              >
                {title}
              </Link>
            </li>
          ))}
      </ul>
    </section>
  ));
}

interface PageProps {
  page: HelpPage;
  before: HelpPage | undefined;
  after: HelpPage | undefined;
}

function Page({ page, before, after }: PageProps) {
  const { t } = useTranslation("help");
  const article = useRef<HTMLElement>(null);
  // Another page begins at its heading, with the focus, for those who do not see the change.
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs for another page
  useEffect(() => {
    article.current?.scrollTo({ top: 0 });
    if (!isFirst.current) article.current?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [page.id]);
  return (
    <article ref={article} className={classes.page}>
      <div className={classes.text}>
        <h2 tabIndex={-1}>{page.title}</h2>
        <Blocks blocks={page.blocks} />
        <nav aria-label={t("neighbours")}>
          <Group justify="space-between" gap="0.5rem" mt="1.5rem">
            {before ? (
              <Button
                variant="default"
                leftSection={<IconArrowLeft size={16} aria-hidden />}
                renderRoot={(props) => <Link to="/help" search={{ page: before.id }} {...props} />}
              >
                {before.title}
              </Button>
            ) : (
              <span />
            )}
            {after && (
              <Button
                variant="default"
                rightSection={<IconArrowRight size={16} aria-hidden />}
                renderRoot={(props) => <Link to="/help" search={{ page: after.id }} {...props} />}
              >
                {after.title}
              </Button>
            )}
          </Group>
        </nav>
      </div>
    </article>
  );
}
