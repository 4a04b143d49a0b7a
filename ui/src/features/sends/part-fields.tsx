import { Button, Textarea, TextInput } from "@mantine/core";
import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Bubble, SendPart, SendProblem } from "@/bindings/model";
import { lengthOf } from "@/components/length-counter";
import { inOneLine, notedInput } from "@/components/problem-notes";
import { InstantField } from "./fields/instant-field";
import { JsonField } from "./fields/json-field";
import { type LinkState, MediaNote } from "./fields/media-note";
import classes from "./fields.module.css";
import { addressIn, type PartGroup } from "./parts";
import shared from "./sends.module.css";

interface PartFieldsProps {
  group: PartGroup;
  values: Readonly<Record<string, string>>;
  problems?: ReadonlyMap<string, readonly SendProblem[]>;
  errorOf: (field: string) => string | undefined;
  /** The message as it will be, to read whole addresses from. */
  bubble?: Bubble | undefined;
  /** What is known of the files behind links; absent where nobody looks at them. */
  links?: LinkState | undefined;
  onLeave: (field: string) => () => void;
  onChange: (id: string, value: string) => void;
}

const NO_PROBLEMS: readonly SendProblem[] = [];

/** The fields of one section of the message. */
export function PartFields({ group, values, problems, errorOf, bubble, links, onLeave, onChange }: PartFieldsProps) {
  const section = useSectionName()(group.section);
  const isLocation = group.parts.some(({ kind }) => kind === "number");
  return (
    <fieldset className={shared.section} data-card={group.card !== undefined || undefined}>
      <legend>{section}</legend>
      <div className={shared.parts} data-location={isLocation || undefined}>
        {group.parts.map((part) => (
          <PartRow
            key={part.id}
            part={part}
            isLocation={isLocation}
            value={values[part.id] ?? ""}
            problems={problems?.get(part.id) ?? NO_PROBLEMS}
            error={errorOf(part.id)}
            address={part.kind === "suffix" && bubble ? addressIn(bubble, part) : undefined}
            links={part.kind === "link" ? links : undefined}
            onLeave={onLeave}
            onChange={onChange}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** What a section of a message is called. The set of sections is open: one without a name is shown as it came. */
export function useSectionName(): (section: string) => string {
  const { t, i18n } = useTranslation("sends");
  return (section) =>
    i18n.exists(`section.${section}`, { ns: "sends" }) ? t(`section.${section}` as "section.body") : section;
}

interface PartFieldProps {
  part: SendPart;
  /** Replaces the label of the part. */
  label?: string;
  /** Whether it is a detail of a location. */
  isLocation: boolean;
  value: string;
  problems?: readonly SendProblem[];
  /** A refusal in words. */
  error?: string | undefined;
  /** What the whole address becomes, of the end of one. */
  address?: string | undefined;
  /** What is known of the files behind links. */
  links?: LinkState | undefined;
  onBlur?: (() => void) | undefined;
  onChange: (value: string) => void;
}

type PartRowProps = Omit<PartFieldProps, "onBlur" | "onChange"> & Pick<PartFieldsProps, "onLeave" | "onChange">;

/** Drawn again only when something in it changes: a carousel has many. */
export const PartRow = memo(function PartRow({ onLeave, onChange, ...field }: PartRowProps) {
  const { id } = field.part;
  return <PartField {...field} onBlur={onLeave(id)} onChange={(value) => onChange(id, value)} />;
});

/** The field of one part. */
export function PartField(props: PartFieldProps) {
  const { part, isLocation, value, problems = NO_PROBLEMS, error, address, links, onBlur, onChange } = props;
  const { t } = useTranslation("sends");
  const own = usePartLabel()(part, isLocation);
  const label = props.label ?? own;
  const limit = part.limit ?? undefined;
  const sample = part.sample !== "" && part.sample !== value && (
    <Button size="compact-xs" variant="subtle" className={classes.sample} onClick={() => onChange(part.sample)}>
      {t("form.useSample", { sample: part.sample, nest: false })}
    </Button>
  );
  const end = problems.find(({ values }) => values.suffix !== undefined && values.suffix !== "")?.values.suffix;
  const onlyEnd = end !== undefined && (
    <Button size="compact-xs" variant="subtle" className={classes.sample} onClick={() => onChange(end)}>
      {t("form.useEnd", { end, nest: false })}
    </Button>
  );
  const notes = notedInput({
    problems,
    error,
    counter: limit === undefined || value === "" ? undefined : { used: lengthOf(value), limit },
    onFix: () => onChange(inOneLine(value)),
    children: (
      <>
        {part.kind === "suffix" && value !== "" && address && (
          <span className={classes.address}>
            {t("form.address")} <code>{address}</code>
          </span>
        )}
        {part.kind === "link" && value === "" && <span>{t("form.linkOnly")}</span>}
        {links && <MediaNote part={part.id} value={value} links={links} />}
        {(onlyEnd || sample) && (
          <span className={classes.offers}>
            {onlyEnd}
            {sample}
          </span>
        )}
        {part.context && (
          <span className={classes.context}>{t("form.context", { text: part.context, nest: false })}</span>
        )}
      </>
    ),
  });
  const input = {
    label,
    placeholder: part.sample,
    withAsterisk: part.required,
    required: part.required,
    autoComplete: "off",
    "data-field": part.id,
    onBlur: () => onBlur?.(),
    ...notes,
  };
  if (part.kind === "json") return <JsonField input={input} value={value} onChange={onChange} problems={problems} />;
  if (part.kind === "instant") return <InstantField input={input} value={value} onChange={onChange} />;
  if (part.kind === "text") {
    return (
      <Textarea
        {...input}
        autosize
        minRows={1}
        maxRows={8}
        // A line break that was pasted stays to be seen and named; one that is typed would be a slip.
        onKeyDown={(event) => {
          if (event.key === "Enter" && !part.multiline) event.preventDefault();
        }}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...input}
      type={part.kind === "link" ? "url" : "text"}
      inputMode={part.kind === "number" ? "decimal" : undefined}
      spellCheck={false}
      {...(part.kind === "suffix" && part.prefix
        ? { inputContainer: (field) => <Prefixed prefix={part.prefix ?? ""}>{field}</Prefixed> }
        : {})}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The part of an address that is fixed, before the field of its end. */
function Prefixed({ prefix, children }: { prefix: string; children: ReactNode }) {
  return (
    <div className={classes.prefixed}>
      <code title={prefix}>{prefix}</code>
      {children}
    </div>
  );
}

/** The label of a part: its kind, and the variable, button or file that it fills. */
export function usePartLabel(): (part: SendPart, isLocation: boolean) => string {
  const { t, i18n } = useTranslation("sends");
  const word = (key: string) =>
    i18n.exists(`kind.${key}`, { ns: "sends" }) ? t(`kind.${key}` as "kind.link") : undefined;
  return ({ kind, section, label }, isLocation) => {
    if (isLocation || (kind === "identifier" && section === "header")) return word(label) ?? label;
    if (section === "footer") return t("kind.footer");
    if (kind === "text" && (section === "body" || section === "header")) {
      return t("kind.variable", { name: `{{${label}}}` });
    }
    if (kind === "link" && i18n.exists(`linkOf.${label}`, { ns: "sends" }))
      return t(`linkOf.${label}` as "linkOf.IMAGE");
    const media = `media.${label}`;
    const about = i18n.exists(media, { ns: "phone" }) ? t(media as "media.IMAGE", { ns: "phone" }) : label;
    const what = word(kind === "code" && section === "button" ? "coupon" : kind) ?? kind;
    return about === "" ? what : `${what}: ${about}`;
  };
}
