import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BulkAction } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { listFormat } from "@/lib/formats";
import { valuesOf } from "@/lib/template-filter";
import { useWabaName } from "@/lib/waba-names";
import { useTemplateFilter } from "../use-filter";
import classes from "./bulk-actions.module.css";
import { plannedWabas } from "./planned-wabas";

/** Which templates of a plan are also in other accounts: other than the one that the list is filtered by, if it is. */
export function PlannedAccounts({ bulkAction: { workspace, id } }: { bulkAction: BulkAction }) {
  const { t, i18n } = useTranslation("bulkActions");
  const { filter } = useTemplateFilter();
  const wabaName = useWabaName(workspace);
  const found = useQuery(plannedWabas(workspace, id));
  if (found.error) return <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />;
  const [account, ...more] = valuesOf(filter.waba);
  const templates = found.data ?? [];
  if (account !== undefined && more.length === 0) {
    const others = new Map<string, number>();
    // One that was chosen before the list was filtered may be in others alone.
    const here = templates.filter((wabas) => wabas.includes(account));
    for (const waba of here.flat()) if (waba !== account) others.set(waba, (others.get(waba) ?? 0) + 1);
    if (others.size === 0) return null;
    return (
      <ul className={classes.accounts}>
        {[...others].map(([waba, count]) => (
          <li key={waba}>{t("plan.alsoIn", { account: wabaName(waba), count, nest: false })}</li>
        ))}
      </ul>
    );
  }
  const several = templates.filter((wabas) => wabas.length > 1);
  if (several.length === 0) return null;
  const accounts = listFormat(i18n.language, {}).format([...new Set(several.flat())].map(wabaName));
  return <p>{t("plan.inSeveral", { accounts, count: several.length, nest: false })}</p>;
}
