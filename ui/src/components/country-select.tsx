import { Select, type SelectProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { countryName } from "@/lib/country-name";
import { queries } from "@/lib/ipc/queries";

/** The choice in place of a country: the numbers begin with the code of their country. */
const CODE_INCLUDED = "+";

interface CountrySelectProps extends Omit<SelectProps, "data" | "value" | "onChange"> {
  /** Code of a country, `+`, or empty. */
  value: string;
  onChange: (country: string) => void;
}

/** The country of numbers that are written without their country code. */
export function CountrySelect({ value, onChange, ...props }: CountrySelectProps) {
  const { t, i18n } = useTranslation("common");
  const countries = useQuery(queries.countries()).data;
  const data = useMemo(() => {
    const named = (countries ?? []).map(({ code, callingCode }) => ({
      value: code,
      label: `${countryName(code, i18n.language)} (+${callingCode})`,
    }));
    named.sort((a, b) => a.label.localeCompare(b.label, i18n.language));
    return [{ value: CODE_INCLUDED, label: t("country.included") }, ...named];
  }, [countries, i18n.language, t]);
  return (
    <Select
      label={t("country.label")}
      description={t("country.hint")}
      placeholder={t("country.ask")}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("country.clear") }}
      data-field="country"
      data={data}
      value={value === "" ? null : value}
      onChange={(country) => onChange(country ?? "")}
      {...props}
    />
  );
}
