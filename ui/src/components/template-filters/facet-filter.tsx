import { Button, Checkbox, Popover, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Facet } from "@/bindings/app";
import { PopoverOnDemand } from "@/components/on-demand";
import styles from "@/components/styles.module.css";
import classes from "./template-filters.module.css";

/** From so many values on, they can be searched. */
const MANY = 8;

interface FacetFilterProps {
  label: string;
  facets: readonly Facet[];
  values: readonly string[];
  text: (value: string) => string;
  onChange: (values: string[]) => void;
}

/** One filter of the bar: a list of values to tick, with how many templates have them. */
export function FacetFilter({ label, facets, values, text, onChange }: FacetFilterProps) {
  const { t } = useTranslation("filters");
  const [words, setWords] = useState("");
  const options = withChosen(facets, values);
  const shown = options.filter(({ value }) =>
    `${value} ${text(value)}`.toLowerCase().includes(words.trim().toLowerCase()),
  );
  return (
    <PopoverOnDemand
      position="bottom-start"
      shadow="md"
      width={260}
      onClose={() => setWords("")}
      target={
        <Button
          h={36}
          variant="default"
          className={classes.facet}
          data-active={values.length > 0 || undefined}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {label}
          {values.length > 0 && (
            <span className={classes.number} aria-hidden>
              {values.length}
            </span>
          )}
        </Button>
      }
    >
      {() => (
        <Popover.Dropdown p="xs">
          {options.length > MANY && (
            <TextInput
              size="xs"
              mb="xs"
              data-autofocus
              aria-label={t("findValue", { filter: label })}
              placeholder={t("findValue", { filter: label })}
              value={words}
              onChange={(event) => setWords(event.currentTarget.value)}
            />
          )}
          <Checkbox.Group value={[...values]} onChange={onChange} aria-label={label}>
            <div className={classes.values}>
              {shown.map(({ value, count }) => (
                <Checkbox
                  key={value}
                  size="xs"
                  value={value}
                  label={
                    <span className={classes.value}>
                      <span>{text(value)}</span>
                      <span className={classes.count}>{count}</span>
                    </span>
                  }
                  classNames={{ body: classes.valueBody, labelWrapper: styles.grow }}
                />
              ))}
            </div>
          </Checkbox.Group>
          {shown.length === 0 && <p className={classes.nothing}>{t("noValue")}</p>}
        </Popover.Dropdown>
      )}
    </PopoverOnDemand>
  );
}

/** The values that occur, and selected values that no template has any more. */
export function withChosen(facets: readonly Facet[], values: readonly string[]): Facet[] {
  const gone = values.filter((value) => !facets.some((facet) => facet.value === value));
  return [...facets, ...gone.map((value) => ({ value, count: 0 }))];
}
