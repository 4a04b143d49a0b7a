import { Alert, Button, Checkbox, SegmentedControl } from "@mantine/core";
import { IconFilterOff, IconFolder, IconInfoCircle, IconUpload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ImportPlan, ImportStep, OutdatedList } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { SearchField } from "@/components/search-field";
import { Toolbar } from "@/components/toolbar";
import { useCommand } from "@/lib/ipc/mutations";
import { useWabaText } from "@/lib/waba-names";
import classes from "./import.module.css";
import { StepRow } from "./step-row";

type Action = ImportStep["action"];

/** What has to be looked at first comes first. */
const ORDER: readonly Action[] = ["blocked", "edit", "create", "unchanged"];
/** Rows that are added at a time. */
const ROWS = 100;

const isInDoubt = ({ doubts }: ImportStep) => doubts.length > 0;
const isPushable = ({ action }: ImportStep) => action === "create" || action === "edit";

interface PlanViewProps {
  plan: ImportPlan;
  isBusy: boolean;
  /** Further controls beside the filter. */
  children: ReactNode;
}

/** What would happen with every file, which of them are pushed, and the button that does it. */
export function PlanView({ plan, isBusy, children }: PlanViewProps) {
  const { t } = useTranslation(["import", "templates"]);
  const run = useCommand("run_import");
  const wabaText = useWabaText(plan.workspace);
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () => new Set(plan.steps.filter(isInDoubt).map(({ file }) => file)),
  );
  const [shown, setShown] = useState<Action>();
  const [words, setWords] = useState("");
  const [rows, setRows] = useState(ROWS);
  const [overridden, setOverridden] = useState(false);
  const [isRepeated, setRepeated] = useState(false);

  if (plan.steps.length === 0) return <Empty Icon={IconFolder} title={t("empty")} text={t("emptyText")} />;
  const count = (action: Action) => plan.steps.filter((step) => step.action === action).length;
  const sought = words.toLowerCase();
  const matching = ORDER.flatMap((action) =>
    plan.steps.filter(
      (step) =>
        step.action === action &&
        (shown === undefined || shown === action) &&
        `${step.name} ${step.language} ${step.file}`.toLowerCase().includes(sought),
    ),
  );
  const pushable = plan.steps.filter(isPushable);
  const chosen = pushable.filter(({ file }) => !left.has(file));
  const overrides = [...new Set(chosen.flatMap(({ needsOverride }) => needsOverride))];
  const doubtful = chosen.filter(isInDoubt).length;
  // A doubt is one of the codes.
  const rejectable = chosen.filter((step) => step.needsOverride.length > (isInDoubt(step) ? 1 : 0)).length;
  const among = matching.filter(isPushable);
  const chosenAmong = among.filter(({ file }) => !left.has(file));
  const choose = (steps: ImportStep[], isChosen: boolean) => {
    const next = new Set(left);
    for (const { file } of steps) isChosen ? next.delete(file) : next.add(file);
    setLeft(next);
  };

  return (
    <div className={classes.plan}>
      {plan.outdatedList && <OutdatedNotice list={plan.outdatedList} />}
      {plan.foldersLeftOut > 0 && <p>{t("templates:import.foldersLeftOut", { count: plan.foldersLeftOut })}</p>}
      <Toolbar divided>
        <SegmentedControl
          size="xs"
          aria-label={t("filter")}
          value={shown ?? "all"}
          onChange={(value) => setShown(ORDER.find((action) => action === value))}
          data={[
            { value: "all", label: t("all", { count: plan.steps.length }) },
            ...ORDER.map((action) => ({ value: action, label: t(`count.${action}`, { count: count(action) }) })),
          ]}
        />
        <SearchField
          className={classes.search}
          size="xs"
          value={words}
          onChange={setWords}
          label={t("search")}
          clearLabel={t("clearSearch")}
        />
        {children}
      </Toolbar>
      {matching.length === 0 ? (
        <Empty Icon={IconFilterOff} title={t("noMatch")} />
      ) : (
        <div className={classes.scroll}>
          {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells hold controls */}
          <table role="grid" aria-label={t("grid")} aria-busy={isBusy} className={classes.grid}>
            <thead>
              <tr>
                <th scope="col">
                  <Checkbox
                    size="xs"
                    aria-label={t("selectAll")}
                    disabled={among.length === 0}
                    checked={among.length > 0 && chosenAmong.length === among.length}
                    indeterminate={chosenAmong.length > 0 && chosenAmong.length < among.length}
                    onChange={({ currentTarget }) => choose(among, currentTarget.checked)}
                  />
                </th>
                <th scope="col">{t("column.name")}</th>
                <th scope="col">{t("column.language")}</th>
                <th scope="col">{t("column.action")}</th>
                <th scope="col">{t("column.what")}</th>
              </tr>
            </thead>
            <tbody>
              {matching.slice(0, rows).map((step) => (
                <StepRow
                  key={step.file}
                  step={step}
                  wabaText={wabaText}
                  isChosen={isPushable(step) && !left.has(step.file)}
                  isChoosable={isPushable(step)}
                  onChoose={(isChosen) => choose([step], isChosen)}
                />
              ))}
            </tbody>
          </table>
          {matching.length > rows && (
            <Button variant="subtle" size="xs" m="sm" onClick={() => setRows(rows + ROWS)}>
              {t("showMore", { count: matching.length - rows })}
            </Button>
          )}
        </div>
      )}
      <footer className={classes.foot}>
        <p>{t(chosen.length === 0 ? "footNothing" : "foot")}</p>
        {doubtful > 0 && (
          <Checkbox
            size="xs"
            label={t("repeatLabel", { count: doubtful })}
            description={t("repeatHint")}
            checked={isRepeated}
            onChange={({ currentTarget: { checked } }) => setRepeated(checked)}
          />
        )}
        {rejectable > 0 && (
          <Checkbox
            size="xs"
            label={t("overrideLabel", { count: rejectable })}
            description={t("overrideHint")}
            checked={overridden}
            onChange={({ currentTarget: { checked } }) => setOverridden(checked)}
          />
        )}
        <Button
          leftSection={<IconUpload size={16} aria-hidden />}
          disabled={chosen.length === 0 || isBusy || (rejectable > 0 && !overridden) || (doubtful > 0 && !isRepeated)}
          loading={run.isPending}
          onClick={() => run.mutate({ id: plan.id, files: chosen.map(({ file }) => file), overrides })}
        >
          {t("push", { count: chosen.length })}
        </Button>
      </footer>
    </div>
  );
}

/** That the preview may be wrong, and why. */
function OutdatedNotice({ list: { listedAt, error } }: { list: OutdatedList }) {
  const { t } = useTranslation("import");
  return (
    <Alert
      color="orange"
      variant="light"
      radius={0}
      role="status"
      icon={<IconInfoCircle size={20} stroke={1.7} />}
      title={t("outdated.title")}
    >
      {listedAt != null && (
        <p>
          {t("outdated.basis")} <Instant at={listedAt} format="moment" />
        </p>
      )}
      <p>{t(error ? "outdated.text" : "outdated.incomplete")}</p>
      {error && <ErrorNotice error={error} />}
    </Alert>
  );
}
