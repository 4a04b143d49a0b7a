import { Button, Group, Switch } from "@mantine/core";
import { IconFilterOff, IconLanguage } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { TemplateFilters } from "@/components/template-filters/template-filters";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useRememberedFilter } from "@/lib/list-views";
import { useRowWindow } from "@/lib/row-window";
import { cleanFilter, isFiltered, templateQuery } from "@/lib/template-filter";
import { templatesQueries } from "../queries";
import frame from "../templates.module.css";
import { useTemplateFilter } from "../use-filter";
import classes from "./matrix.module.css";
import { MatrixGrid } from "./matrix-grid";

/** Names by which the part of the matrix that is at hand moves: each has many cells. */
const STEP = 40;

/** A row for every name, a column for every language, the status in each cell. */
export function LanguageMatrix() {
  const workspace = useWorkspace();
  const { filter, change } = useTemplateFilter();
  // The list and the matrix are narrowed together.
  const isReady = useRememberedFilter({ workspace: workspace.id, screen: "templates", filter, apply: change });
  return isReady ? <Matrix /> : <Loading rows={9} />;
}

function Matrix() {
  const { t } = useTranslation("matrix");
  const workspace = useWorkspace();
  const { filter, change } = useTemplateFilter();
  const grid = useRef<HTMLDivElement>(null);
  const { offset, limit, onRange } = useRowWindow(STEP);
  const query = {
    query: templateQuery(workspace.id, filter),
    onlyIncomplete: filter.incomplete === "yes" || null,
    onlyDifferent: filter.different === "yes" || null,
  };
  const matrix = useQuery(templatesQueries.languageMatrix(query, offset, limit));
  const facets = useQuery(queries.templates(query.query, 0, 1)).data?.facets;
  const page = matrix.data;
  const narrowed = isFiltered(filter) || query.onlyIncomplete || query.onlyDifferent;
  const only = (part: { incomplete?: string; different?: string }) => void change(cleanFilter({ ...filter, ...part }));

  return (
    <>
      <TemplateFilters
        screen="matrix"
        filter={filter}
        facets={facets}
        onChange={(next) => void change(next)}
        onLeave={() => grid.current?.focus()}
        below={
          <Group gap="0.5rem 1.25rem">
            <Switch
              size="xs"
              label={t("onlyIncomplete")}
              checked={query.onlyIncomplete === true}
              onChange={(event) => only({ incomplete: event.currentTarget.checked ? "yes" : "" })}
            />
            <Switch
              size="xs"
              label={t("onlyDifferent")}
              checked={query.onlyDifferent === true}
              onChange={(event) => only({ different: event.currentTarget.checked ? "yes" : "" })}
            />
            {page && <span className={classes.quiet}>{t("names", { count: page.names })}</span>}
          </Group>
        }
      />
      {matrix.isError && <ErrorNotice error={matrix.error} onRetry={() => void matrix.refetch()} />}
      <div className={frame.frame} aria-busy={matrix.isFetching}>
        {matrix.isPending ? (
          <Loading rows={9} />
        ) : page && page.names > 0 ? (
          <MatrixGrid
            key={JSON.stringify(query)}
            handle={grid}
            page={page}
            onRange={onRange}
            memory={JSON.stringify(query)}
          />
        ) : matrix.isError ? null : narrowed ? (
          <Empty Icon={IconFilterOff} title={t("nothing")} text={t("nothingText")}>
            <Button variant="default" onClick={() => void change({})}>
              {t("clear", { ns: "filters" })}
            </Button>
          </Empty>
        ) : (
          <Empty Icon={IconLanguage} title={t("empty")} text={t("emptyText")} />
        )}
      </div>
    </>
  );
}
