import { ActionIcon, Button, Checkbox, NumberInput, Select, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SupportedApp } from "@/bindings/model";
import styles from "@/components/styles.module.css";
import { changeOtp, otpIndex, otpOf, setExpiration, setRecommendation } from "./authentication";
import { withCurrent } from "./basics-section";
import classes from "./composer.module.css";
import { NotesAt, useField } from "./field";
import type { Json } from "./parts";
import { useComponent, usePartList, useParts } from "./parts-context";
import { Section } from "./section";

const WAYS = ["COPY_CODE", "ONE_TAP", "ZERO_TAP"] as const;
/** What only a code that is filled in by an app has. */
const FOR_APPS = ["autofill_text", "supported_apps", "zero_tap_terms_accepted"] as const;

/** The whole of an authentication template; its words are the channel's own. */
export function AuthenticationSection() {
  const { t } = useTranslation("composer");
  return (
    <Section title={t("authentication.title")}>
      <p className={styles.small}>{t("authentication.fixedBody")}</p>
      <Leftovers />
      <Recommendation />
      <Expiration />
      <Passcode />
    </Section>
  );
}

/** What is found about parts that an authentication template does not have. */
function Leftovers() {
  const { base } = useParts();
  const parts = usePartList();
  const { path: body } = useComponent("BODY");
  const { path: footer } = useComponent("FOOTER");
  const { path: buttons } = useComponent("BUTTONS");
  const others = parts.flatMap(({ type }, position) =>
    ["BODY", "FOOTER", "BUTTONS"].includes(type) ? [] : [`${base}/${position}`, `${base}/${position}/`],
  );
  const own = [
    `${body}/add_security_recommendation`,
    `${body}/text`,
    `${body}/example`,
    body,
    `${footer}/text`,
    footer,
    `${buttons}/buttons`,
    buttons,
    base,
  ];
  return <NotesAt paths={[...own, ...others]} />;
}

function Recommendation() {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  const { component, path } = useComponent("BODY");
  return (
    <Checkbox
      data-path={`${path}/add_security_recommendation`}
      label={t("authentication.recommendation")}
      description={t("authentication.recommendationHint")}
      checked={component?.add_security_recommendation === true}
      onChange={({ currentTarget: { checked } }) => change((before) => setRecommendation(before, checked))}
    />
  );
}

function Expiration() {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  const { component, path } = useComponent("FOOTER");
  const minutes = component?.code_expiration_minutes;
  const field = useField(`${path}/code_expiration_minutes`, { empty: false, hint: t("authentication.expirationHint") });
  return (
    <NumberInput
      {...field}
      label={t("authentication.expiration")}
      placeholder={t("authentication.noExpiration")}
      allowDecimal={false}
      allowNegative={false}
      maxLength={6}
      value={minutes ?? ""}
      onChange={(value) => {
        const next = value === "" ? undefined : Number(value);
        // The field also tells of values that came from elsewhere.
        if (next !== minutes) change((before) => setExpiration(before, next), "expiration");
      }}
    />
  );
}

function Passcode() {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  const parts = usePartList();
  const { path: buttons } = useComponent("BUTTONS");
  const otp = otpOf(parts);
  const path = `${buttons}/buttons/${otpIndex(parts)}`;
  const aside = useRef<Json>({});
  const way = otp?.otp_type ?? "";
  const byApp = way !== "COPY_CODE" && way !== "";
  const field = useField(`${path}/otp_type`, { empty: !otp, also: [path] });

  const choose = (next: string | null) => {
    if (next === null || next === way) return;
    if (next === "COPY_CODE") {
      // Kept in case the person reverts the choice.
      aside.current = Object.fromEntries(FOR_APPS.map((key) => [key, otp?.[key]]));
      change((before) =>
        changeOtp(before, { otp_type: next, ...Object.fromEntries(FOR_APPS.map((key) => [key, undefined])) }),
      );
    } else {
      change((before) => changeOtp(before, { ...(way === "COPY_CODE" ? aside.current : {}), otp_type: next }));
    }
  };

  return (
    <>
      <Select
        {...field}
        label={t("authentication.way")}
        placeholder={t("choose")}
        required
        allowDeselect={false}
        data={withCurrent(
          WAYS.map((value) => ({ value, label: t(`authentication.ways.${value}`) })),
          way,
        )}
        value={way === "" ? null : way}
        onChange={choose}
      />
      <div className={classes.pair}>
        <Label name="text" label={t("authentication.buttonText")} path={path} value={otp?.text} />
        {byApp && (
          <Label name="autofill_text" label={t("authentication.autofillText")} path={path} value={otp?.autofill_text} />
        )}
      </div>
      {byApp && <Apps path={`${path}/supported_apps`} apps={otp?.supported_apps ?? []} />}
      {way === "ZERO_TAP" && (
        <>
          <Checkbox
            data-path={`${path}/zero_tap_terms_accepted`}
            label={t("authentication.terms")}
            checked={otp?.zero_tap_terms_accepted === true}
            onChange={({ currentTarget: { checked } }) =>
              change((before) => changeOtp(before, { zero_tap_terms_accepted: checked }))
            }
          />
          <NotesAt paths={[`${path}/zero_tap_terms_accepted`]} />
        </>
      )}
    </>
  );
}

interface LabelProps {
  name: "text" | "autofill_text";
  label: string;
  path: string;
  value: string | undefined;
}

function Label({ name, label, path, value }: LabelProps) {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  const field = useField(`${path}/${name}`, { empty: !value });
  return (
    <TextInput
      {...field}
      label={label}
      placeholder={t("authentication.ownWords")}
      value={value ?? ""}
      onChange={({ currentTarget: { value: typed } }) =>
        change((before) => changeOtp(before, { [name]: typed === "" ? undefined : typed }), name)
      }
    />
  );
}

/** The apps that may receive the code. */
function Apps({ path, apps }: { path: string; apps: SupportedApp[] }) {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  const set = (next: SupportedApp[], key?: string) =>
    change((before) => changeOtp(before, { supported_apps: next.length === 0 ? undefined : next }), key);
  return (
    <fieldset className={classes.samples} data-path={path}>
      <legend>{t("authentication.apps")}</legend>
      <NotesAt paths={[path]} />
      {apps.map((app, position) => (
        <div
          key={position}
          role="group"
          aria-label={t("authentication.app", { number: position + 1 })}
          className={classes.app}
        >
          <AppField
            path={`${path}/${position}/package_name`}
            label={t("authentication.packageName")}
            value={app.package_name}
            onChange={(value) =>
              set(
                apps.map((it, index) => (index === position ? { ...it, package_name: value } : it)),
                `package ${position}`,
              )
            }
          />
          <AppField
            path={`${path}/${position}/signature_hash`}
            label={t("authentication.signatureHash")}
            value={app.signature_hash}
            onChange={(value) =>
              set(
                apps.map((it, index) => (index === position ? { ...it, signature_hash: value } : it)),
                `hash ${position}`,
              )
            }
          />
          <ActionIcon
            mt={25}
            aria-label={t("authentication.removeApp", { number: position + 1 })}
            onClick={() => set(apps.filter((_, index) => index !== position))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        justify="start"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        onClick={() => set([...apps, { package_name: "", signature_hash: "" }])}
      >
        {t("authentication.addApp")}
      </Button>
    </fieldset>
  );
}

interface AppFieldProps {
  path: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function AppField({ path, label, value, onChange }: AppFieldProps) {
  const field = useField(path, { empty: value === "" });
  return (
    <TextInput
      {...field}
      label={label}
      value={value}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: classes.mono }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
