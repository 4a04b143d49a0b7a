import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useCategoryText, useQualityText, useStatusText } from "@/components/status-badge";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import type { ListKey } from "@/lib/template-filter";
import { useWabaName } from "@/lib/waba-names";

/** The word of a value that templates can be narrowed to; the value itself where it has none. */
export function useFacetText(): (key: ListKey, value: string) => string {
  const { t, i18n } = useTranslation("filters");
  const status = useStatusText();
  const category = useCategoryText();
  const quality = useQualityText();
  const { id } = useWorkspace();
  const settings = useQuery(queries.workspace(id)).data?.settings;
  const wabaName = useWabaName(id);
  return (key, value) => {
    if (key === "status") return status(value);
    if (value === "") return t("notSaid");
    if (key === "category") return category(value);
    if (key === "quality") return quality(value);
    if (key === "waba") return wabaName(value);
    if (key === "business" && settings?.businessName && value === settings.businessId) return settings.businessName;
    const path = `value.${key}.${value}`;
    return i18n.exists(path, { ns: "filters" }) ? t(path as "value.header.IMAGE") : value;
  };
}
