import { Select, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Button } from "@/bindings/model";
import { useButtonEdits } from "../carousel/in-step";
import classes from "../composer.module.css";
import { useField } from "../field";
import { changeButton, FLOW_REFERENCES, type FlowReference, setFlowReference } from "./buttons";
import { type ButtonFieldsProps, LabelField } from "./word-field";

type Flow = Extract<Button, { type: "FLOW" }>;

const ACTIONS = ["navigate", "data_exchange"] as const;
const ICONS = ["DOCUMENT", "PROMOTION", "REVIEW"] as const;
/** The choice of leaving a key out. */
const NONE = "";

/** A button that opens a form within the chat. */
export function FlowFields({ button, index, path }: ButtonFieldsProps<Flow>) {
  const { t } = useTranslation("composer");
  const { fill } = useButtonEdits();
  const action = button.flow_action ?? NONE;
  const screen = button.navigate_screen ?? "";
  const screenField = useField(`${path}/navigate_screen`, { empty: screen === "", hint: t("flow.screenHint") });
  return (
    <div className={classes.pair}>
      <LabelField button={button} index={index} path={path} />
      <Reference button={button} index={index} path={path} />
      <Choice
        at={`${path}/flow_action`}
        label={t("flow.action")}
        value={action}
        none={t("flow.actionDefault")}
        options={ACTIONS.map((value) => ({ value, label: t(`flow.actions.${value}`) }))}
        onChange={(flow_action) => fill((it) => changeButton(it, index, { flow_action }))}
      />
      {(action !== "data_exchange" || screen !== "") && (
        <TextInput
          {...screenField}
          size="xs"
          label={t("flow.screen")}
          value={screen}
          onChange={({ currentTarget: { value } }) =>
            fill(
              (it) => changeButton(it, index, { navigate_screen: value === "" ? undefined : value }),
              `${path}/navigate_screen`,
            )
          }
        />
      )}
      <Choice
        at={`${path}/icon`}
        label={t("flow.icon")}
        value={button.icon ?? NONE}
        none={t("flow.noIcon")}
        options={ICONS.map((value) => ({ value, label: t(`flow.icons.${value}`) }))}
        onChange={(icon) => fill((it) => changeButton(it, index, { icon }))}
      />
    </div>
  );
}

/** Which form it is: named in exactly one of three ways. */
function Reference({ button, index, path }: ButtonFieldsProps<Flow>) {
  const { t } = useTranslation("composer");
  const { fill } = useButtonEdits();
  const reference =
    FLOW_REFERENCES.find((name) => button[name]) ??
    FLOW_REFERENCES.find((name) => button[name] !== undefined) ??
    "flow_id";
  const value = button[reference] ?? "";
  const at = `${path}/${reference}`;
  const field = useField(at, { empty: value === "", also: [path] });
  const set = (text: string) => fill((it) => setFlowReference(it, index, reference, text), at);
  return (
    <>
      <Select
        size="xs"
        label={t("flow.namedBy")}
        allowDeselect={false}
        data={FLOW_REFERENCES.map((name) => ({ value: name as string, label: t(`flow.reference.${name}`) }))}
        value={reference}
        onChange={(chosen) => chosen !== null && fill((it) => setFlowReference(it, index, chosen as FlowReference, ""))}
      />
      {reference === "flow_json" ? (
        <Textarea
          {...field}
          size="xs"
          label={t("flow.reference.flow_json")}
          classNames={{ input: classes.mono ?? "" }}
          value={value}
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      ) : (
        <TextInput
          {...field}
          size="xs"
          label={t(`flow.reference.${reference}`)}
          value={value}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  at: string;
  label: string;
  value: string;
  /** What it means to leave the key out. */
  none: string;
  options: { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
}

/** One of the words that the channel knows; another one that came with the template stays until it is changed. */
function Choice({ at, label, value, none, options, onChange }: ChoiceProps) {
  const field = useField(at, { empty: value === NONE });
  const known = value === NONE || options.some((option) => option.value === value);
  return (
    <Select
      {...field}
      size="xs"
      label={label}
      allowDeselect={false}
      data={[{ value: NONE, label: none }, ...options, ...(known ? [] : [{ value, label: value }])]}
      value={value}
      onChange={(chosen) => onChange(chosen === null || chosen === NONE ? undefined : chosen)}
    />
  );
}
