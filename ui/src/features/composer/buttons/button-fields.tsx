import { NumberInput, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Button } from "@/bindings/model";
import { JsonView } from "@/components/json-view";
import styles from "@/components/styles.module.css";
import { stringifyJson } from "@/lib/exact-json";
import { useButtonEdits } from "../carousel/in-step";
import classes from "../composer.module.css";
import { NotesAt, useField } from "../field";
import { variablesOf } from "../parts";
import { changeButton, setButtonUrl } from "./buttons";
import { FlowFields } from "./flow-fields";
import { type ButtonFieldsProps, LabelField, WordField } from "./word-field";

/** What a button says and does. */
export function ButtonFields({ button, index, path, name }: ButtonFieldsProps & { name: string }) {
  const { t } = useTranslation("composer");
  switch (button.type) {
    case "QUICK_REPLY":
    case "CATALOG":
    case "MPM":
    case "SPM":
    case "ORDER_DETAILS":
      return <LabelField button={button} index={index} path={path} />;
    case "URL":
      return <UrlFields button={button} index={index} path={path} />;
    case "PHONE_NUMBER":
      return (
        <div className={classes.pair}>
          <LabelField button={button} index={index} path={path} />
          <WordField
            at="phone_number"
            value={button.phone_number}
            label={t("phoneNumber")}
            placeholder="+15550100"
            index={index}
            path={path}
          />
        </div>
      );
    case "COPY_CODE":
      return <WordField at="example" value={button.example} label={t("code")} index={index} path={path} />;
    case "FLOW":
      return <FlowFields button={button} index={index} path={path} />;
    case "VOICE_CALL":
      return (
        <div className={classes.pair}>
          <LabelField button={button} index={index} path={path} />
          <MinutesField button={button} index={index} path={path} />
        </div>
      );
    case "REQUEST_CONTACT_INFO":
      return (
        <>
          <p className={styles.small}>{t("buttonFields.contactInfo")}</p>
          <NotesAt paths={[`${path}/`]} />
        </>
      );
    default:
      return (
        <>
          <p className={styles.small}>{t("keptAsIs")}</p>
          <NotesAt paths={[`${path}/`]} />
          <JsonView text={stringifyJson(button)} label={name} maxHeight="10rem" />
        </>
      );
  }
}

function UrlFields({ button, index, path }: ButtonFieldsProps<Extract<Button, { type: "URL" }>>) {
  const { t } = useTranslation("composer");
  const { fill } = useButtonEdits();
  const url = button.url ?? "";
  const sample = button.example?.[0] ?? "";
  const address = useField(`${path}/url`, {
    empty: url === "",
    hint: t("buttonFields.urlHint", { variable: "{{1}}" }),
  });
  const sampleField = useField(`${path}/example`, { empty: sample === "", also: [`${path}/example/`] });
  return (
    <div className={classes.pair}>
      <LabelField button={button} index={index} path={path} />
      <TextInput
        {...address}
        size="xs"
        label={t("url")}
        value={url}
        placeholder="https://"
        onChange={({ currentTarget: { value } }) => fill((it) => setButtonUrl(it, index, value), `${path}/url`)}
      />
      {(variablesOf(url).length > 0 || sample !== "") && (
        <TextInput
          {...sampleField}
          size="xs"
          label={t("urlSample")}
          value={sample}
          placeholder={url}
          onChange={({ currentTarget: { value } }) =>
            fill((it) => changeButton(it, index, { example: [value] }), `${path}/example`)
          }
        />
      )}
    </div>
  );
}

function MinutesField({ button, index, path }: ButtonFieldsProps<Extract<Button, { type: "VOICE_CALL" }>>) {
  const { t } = useTranslation("composer");
  const { fill } = useButtonEdits();
  const at = `${path}/ttl_minutes`;
  const field = useField(at, { empty: button.ttl_minutes === undefined, hint: t("buttonFields.minutesHint") });
  return (
    <NumberInput
      {...field}
      size="xs"
      label={t("buttonFields.minutes")}
      value={button.ttl_minutes ?? ""}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      max={Number.MAX_SAFE_INTEGER}
      onChange={(value) =>
        fill((it) => changeButton(it, index, { ttl_minutes: value === "" ? undefined : Number(value) }), at)
      }
    />
  );
}
