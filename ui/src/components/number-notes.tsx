import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RecipientFacts } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { countryName, numberWithCountry } from "@/lib/country-name";
import { explicitNumber } from "@/lib/explicit-number";
import { isolatedName, isolatedNumber } from "@/lib/isolate";
import notes from "./notes.module.css";
import { PhoneNumber } from "./phone-number";

interface NumberNotesProps {
  /** What is known about the typed number. */
  known?: RecipientFacts | undefined;
  /** Whose number it is. */
  person?: { name: string; formatted: string } | undefined;
  problems: readonly SendProblem[];
  /** Shown while there is nothing to say about a number. */
  hint?: string | undefined;
  /** Another number was chosen in place of the typed one. */
  onUse: (number: string) => void;
}

/** What a typed number was read as, and the numbers that it could mean instead. */
export function NumberNotes({ known, person, problems, hint, onUse }: NumberNotesProps) {
  const { t, i18n } = useTranslation("sends");
  const country = known?.country ? countryName(known.country, i18n.language) : undefined;
  const number = person?.formatted ?? known?.formatted;
  const hasFacts = Boolean(person?.name || number);
  const meant = known?.lacksNinth;
  return (
    <>
      {hasFacts && (
        <span className={notes.known}>
          {person?.name && <bdi>{person.name}</bdi>}
          {person?.name && number && " · "}
          {number && <PhoneNumber>{number}</PhoneNumber>}
          {country && ` · ${country}`}
        </span>
      )}
      {meant && (
        <span className={notes.known} role="status">
          {meant.name
            ? t("form.toLacksNinthNamed", {
                name: isolatedName(meant.name),
                number: isolatedNumber(meant.formatted),
                nest: false,
              })
            : t("form.toLacksNinth", { number: isolatedNumber(meant.formatted), nest: false })}
        </span>
      )}
      {known?.countryAssumed && <span className={notes.known}>{t("form.toAssumed", { country, nest: false })}</span>}
      {offersOf(problems, known).map((offer) => (
        <Button
          key={offer.value}
          size="compact-xs"
          variant="light"
          className={notes.fix}
          onClick={() => onUse(offer.value)}
        >
          {t("form.toUse", { number: numberWithCountry(offer.shown, offer.country, i18n.language), nest: false })}
        </Button>
      ))}
      {hint !== undefined && !hasFacts && !problems.some(({ severity }) => severity === "error") && <span>{hint}</span>}
    </>
  );
}

interface Offer {
  /** What is written into the field. */
  value: string;
  shown: string;
  country?: string | null | undefined;
}

/** Numbers that the typed text could mean instead. */
function offersOf(problems: readonly SendProblem[], known: RecipientFacts | undefined): Offer[] {
  const offers = problems.flatMap(({ code, values }): Offer[] => {
    if (code === "to.invalid" && values.correction) return [{ value: values.correction, shown: values.correction }];
    if (code !== "to.countryUnknown" || !values.digits) return [];
    return [
      { value: explicitNumber(values.digits), shown: values.formatted ?? values.digits, country: values.country },
    ];
  });
  const others = [known?.lacksNinth, known?.otherReading].filter((other) => other != null);
  return [
    ...offers,
    ...others.map((other) => ({
      value: explicitNumber(other.digits),
      shown: other.formatted,
      country: "country" in other ? other.country : undefined,
    })),
  ];
}
