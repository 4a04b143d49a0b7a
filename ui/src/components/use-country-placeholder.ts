import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { countryName } from "@/lib/country-name";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";

/** What no choice of a country means: that of the workspace, by its name where the workspace has one. */
export function useCountryPlaceholder(): string {
  const { t, i18n } = useTranslation("sends");
  const country = useQuery(queries.workspace(useWorkspace().id)).data?.settings.defaultCountry;
  // `+` stands for numbers with their country code.
  return country && /^[A-Z]{2}$/.test(country)
    ? t("form.countryOfWorkspaceNamed", { country: countryName(country, i18n.language), nest: false })
    : t("form.countryOfWorkspace");
}
