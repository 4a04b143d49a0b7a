import { Alert } from "@mantine/core";
import { IconWorldQuestion } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { NumberExample, NumberReading, NumbersRead } from "@/bindings/app";
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
  const { country, unknown, assumed, ambiguous, examples, foreign, foreignExamples } = numbers;
  if (unknown === 0 && assumed === 0 && foreign === 0) return null;
  const withOwnCode = t("numbers.foreign", { count: foreign });
  const isAsked = unknown > 0;
  const title = isAsked
    ? t("numbers.ask", { count: unknown })
    : assumed > 0
      ? t("numbers.assumed", { count: assumed, country: countryName(country, i18n.language), nest: false })
      : withOwnCode;
  return (
    <Alert
      className={classes.numbersNote}
      color={isAsked ? "red" : "gray"}
      variant="light"
      icon={<IconWorldQuestion size={18} />}
      title={title}
    >
      <div className={classes.numbers}>
        {(isAsked || assumed > 0) && (
          <p className={classes.text}>{t(isAsked ? "numbers.askText" : "numbers.assumedText")}</p>
        )}
        <CountrySelect
          value={country}
          onChange={onCountry}
          placeholder={t("numbers.choose")}
          clearable={false}
          allowDeselect={false}
        />
        {examples.length > 0 && (
          <Examples
            label={t("numbers.examples")}
            examples={examples}
            other={t(isAsked ? "numbers.withCode" : "numbers.other")}
          />
        )}
        {ambiguous > 0 && <p className={classes.text}>{t("numbers.ambiguous", { count: ambiguous })}</p>}
        {foreign > 0 && (
          <>
            <p className={classes.text}>
              {title !== withOwnCode && `${withOwnCode}. `}
              {t("numbers.foreignText")}
            </p>
            <Examples label={t("numbers.foreignExamples")} examples={foreignExamples} />
          </>
        )}
      </div>
    </Alert>
  );
}

interface ExamplesProps {
  label: string;
  examples: readonly NumberExample[];
  /** Heading of what the numbers are in another reading; without it there is none. */
  other?: string;
}

/** Numbers as they were written, beside what they became. */
function Examples({ label, examples, other: heading }: ExamplesProps) {
  const { t, i18n } = useTranslation("batches");
  const shown = (reading: NumberReading | null | undefined) =>
    reading ? numberWithCountry(reading.formatted, reading.country, i18n.language) : "–";
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{t("plan.row")}</th>
          <th scope="col">{t("numbers.asWritten")}</th>
          <th scope="col">{t("numbers.read")}</th>
          {heading !== undefined && <th scope="col">{heading}</th>}
        </tr>
      </thead>
      <tbody>
        {examples.map(({ row, written, read, other }) => (
          <tr key={row}>
            <td>{row}</td>
            <td>{written}</td>
            <td>{shown(read)}</td>
            {heading !== undefined && <td>{shown(other)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether a number is shown as it was written, apart from spaces and punctuation. */
export const sameDigits = (written: string, shown: string) =>
  written === shown || written.replace(/\D/g, "") === shown.replace(/\D/g, "");
