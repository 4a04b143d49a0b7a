import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { cleanFilter, type TemplateFilter } from "@/lib/template-filter";

const route = getRouteApi("/templates");

/** What the address narrows the templates to, and how that is changed. The view stays as it is. */
export function useTemplateFilter() {
  const { view, bulkAction: _bulkAction, log: _log, ...rest } = route.useSearch();
  const navigate = useNavigate();
  return {
    view,
    filter: cleanFilter(rest),
    change: (filter: TemplateFilter): Promise<void> =>
      navigate({ to: "/templates", search: { ...filter, ...(view ? { view } : {}) }, replace: true }),
  };
}
