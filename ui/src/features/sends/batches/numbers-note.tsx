import { Alert } from "@mantine/core";
import { IconWorldQuestion } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { NumberReading, NumbersRead } from "@/bindings/app";
import { CountrySelect } from "@/components/country-select";
import { countryName, numberWithCountry } from "@/lib/country-name";
import classes from "./batches.module.css";

interface NumbersNoteProps {
  numbers: NumbersRead;
  onCountry: (country: string) => void;
}

/** What numbers without country code were read as; asks for the country where nobody has said it. */
export function NumbersNote({ numbers, onCountry }: NumbersNoteProps) {
  const { t, i18n } = useTranslation("batches");
  const { country, unknown, assumed, ambiguous, examples } = numbers;
  if (unknown === 0 && assumed === 0 && ambiguous === 0) return null;
  const shown = (reading: NumberReading | null | undefined) =>
    reading ? numberWithCountry(reading.formatted, reading.country, i18n.language) : "–";
  return (
    <Alert
      color={unknown > 0 ? "red" : "gray"}
      variant="light"
      icon={<IconWorldQuestion size={18} />}
      title={
        unknown > 0
          ? t("numbers.ask", { count: unknown })
          : t("numbers.assumed", { count: assumed, country: countryName(country, i18n.language), nest: false })
      }
    >
      <div className={classes.numbers}>
        <p className={classes.text}>{t(unknown > 0 ? "numbers.askText" : "numbers.assumedText")}</p>
        <CountrySelect value={country} onChange={onCountry} placeholder={t("numbers.choose")} />
        <table aria-label={t("numbers.examples")}>
          <thead>
            <tr>
              <th scope="col">{t("plan.row")}</th>
              <th scope="col">{t("numbers.asWritten")}</th>
              <th scope="col">{t("numbers.read")}</th>
              <th scope="col">{t(unknown > 0 ? "numbers.withCode" : "numbers.other")}</th>
            </tr>
          </thead>
          <tbody>
            {examples.map(({ row, written, read, other }) => (
              <tr key={row}>
                <td>{row}</td>
                <td>{written}</td>
                <td>{shown(read)}</td>
                <td>{shown(other)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {ambiguous > 0 && <p className={classes.text}>{t("numbers.ambiguous", { count: ambiguous })}</p>}
      </div>
    </Alert>
  );
}

/** Whether a number is shown as it was written, apart from spaces and punctuation. */
export const sameDigits = (written: string, shown: string) =>
  written === shown || written.replace(/\D/g, "") === shown.replace(/\D/g, "");
