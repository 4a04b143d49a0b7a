import { Button, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SendPart } from "@/bindings/model";
import type { PartGroup } from "./parts";
import classes from "./sends.module.css";

interface PartFieldsProps {
  group: PartGroup;
  values: Readonly<Record<string, string>>;
  errorOf: (field: string) => string | undefined;
  onLeave: (field: string) => () => void;
  onChange: (id: string, value: string) => void;
}

/** The fields of one section of the message. */
export function PartFields({ group, values, errorOf, onLeave, onChange }: PartFieldsProps) {
  const { t, i18n } = useTranslation("sends");
  const known = i18n.exists(`section.${group.section}`, { ns: "sends" });
  const section = known ? t(`section.${group.section}` as "section.body") : group.section;
  const place = group.parts.some(({ kind }) => kind === "number");
  return (
    <fieldset className={classes.section}>
      <legend>{group.card === undefined ? section : t("form.card", { place: group.card + 1, section })}</legend>
      <div className={classes.parts}>
        {group.parts.map((part) => (
          <PartField
            key={part.id}
            part={part}
            ofPlace={place}
            value={values[part.id] ?? ""}
            error={errorOf(part.id)}
            onBlur={onLeave(part.id)}
            onChange={(value) => onChange(part.id, value)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface PartFieldProps {
  part: SendPart;
  /** Whether it is a detail of a location. */
  ofPlace: boolean;
  value: string;
  error: string | undefined;
  onBlur: () => void;
  onChange: (value: string) => void;
}

const DAY = 86_400_000;

function PartField({ part, ofPlace, value, error, onBlur, onChange }: PartFieldProps) {
  const { t, i18n } = useTranslation("sends");
  const label = useLabel(part, ofPlace);
  const common = {
    label,
    placeholder: part.sample,
    withAsterisk: part.required,
    required: part.required,
    autoComplete: "off",
    "data-field": part.id,
    value,
    onBlur,
    error,
  };
  if (part.kind === "json") {
    return (
      <Textarea
        {...common}
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (part.kind === "instant") {
    const at = value.trim() === "" ? Number.NaN : Number(value);
    const date = new Date(at);
    return (
      <TextInput
        {...common}
        inputMode="numeric"
        description={
          Number.isNaN(date.getTime())
            ? t("kind.instantHint")
            : t("kind.instantIs", {
                time: new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium", timeStyle: "short" }).format(date),
              })
        }
        rightSectionWidth={110}
        rightSection={
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(String(Date.now() + DAY))}>
            {t("kind.inOneDay")}
          </Button>
        }
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...common}
      type={part.kind === "link" ? "url" : "text"}
      inputMode={part.kind === "number" ? "decimal" : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** What is asked for, in words: the kind and, beside it, the variable, button or file that it fills. */
function useLabel({ kind, section, label }: SendPart, ofPlace: boolean): string {
  const { t, i18n } = useTranslation("sends");
  const word = (key: string) =>
    i18n.exists(`kind.${key}`, { ns: "sends" }) ? t(`kind.${key}` as "kind.link") : undefined;
  if (ofPlace) return word(label) ?? label;
  if (kind === "text" && (section === "body" || section === "header")) {
    return t("kind.variable", { name: `{{${label}}}` });
  }
  const media = `media.${label}`;
  const about = i18n.exists(media, { ns: "phone" }) ? t(media as "media.IMAGE", { ns: "phone" }) : label;
  const what = word(kind) ?? kind;
  return about === "" ? what : `${what}: ${about}`;
}
