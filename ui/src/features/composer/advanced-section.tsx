import { NumberInput, Select, TextInput } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Template } from "@/bindings/model";
import { withCurrent } from "./basics-section";
import classes from "./composer.module.css";
import { useField } from "./field";
import { LockIcon } from "./lock";
import { compact, type Json } from "./parts";
import { useComposer, useComposerActions, useEdits } from "./store";

/** What few templates need; closed unless one of it is set. Every template of the provider has a sending API. */
export function AdvancedSection() {
  const { t } = useTranslation("composer");
  const [open] = useState(useComposer(({ draft: { template } }) => isUsed(template)));
  return (
    <details className={classes.section} open={open}>
      <summary className={classes.sectionHead}>
        <IconChevronRight size={16} aria-hidden />
        <h2>{t("advanced.title")}</h2>
      </summary>
      <div className={classes.fields}>
        <TypeField />
        <div className={classes.pair}>
          <SubCategoryField />
          <DisplayField />
        </div>
        <LifetimeField />
      </div>
    </details>
  );
}

function isUsed({ sub_category, message_send_ttl_seconds, display_format }: Template): boolean {
  return [sub_category, message_send_ttl_seconds, display_format].some(
    (value) => value !== undefined && value !== null,
  );
}

/** Sets a key of the template, or takes it away. */
function useSet(key: keyof Template) {
  const { change } = useComposerActions();
  return (value: unknown) =>
    change((before) => compact({ ...(before as unknown as Json), [key]: value }) as unknown as Template, key);
}

function TypeField() {
  const { t } = useTranslation("composer");
  const type = useComposer((state) => state.draft.template.type);
  const { change } = useComposerActions();
  const edits = useEdits();
  const field = useField("/type", { empty: !type, hint: edits ? t("fixed") : t("typeHint") });
  return (
    <Select
      {...field}
      label={t("type")}
      placeholder={t("typeDefault")}
      clearable={!edits}
      readOnly={edits}
      {...(edits && { rightSection: <LockIcon /> })}
      clearButtonProps={{ "aria-label": t("typeClear") }}
      data={withCurrent(
        ["cloud_api", "marketing_lite"].map((value) => ({ value, label: value })),
        type ?? "",
      )}
      value={type ?? null}
      onChange={(value) => change(({ type: _, ...rest }) => (value === null ? rest : { ...rest, type: value }))}
    />
  );
}

function SubCategoryField() {
  const { t } = useTranslation("composer");
  const value = useComposer((state) => state.draft.template.sub_category) ?? "";
  const set = useSet("sub_category");
  const field = useField("/sub_category", { empty: value === "", hint: t("advanced.subCategoryHint") });
  return (
    <TextInput
      {...field}
      label={t("advanced.subCategory")}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={({ currentTarget: { value: typed } }) => set(typed === "" ? undefined : typed)}
    />
  );
}

function DisplayField() {
  const { t } = useTranslation("composer");
  const value = useComposer((state) => state.draft.template.display_format) ?? "";
  const edits = useEdits();
  const set = useSet("display_format");
  const field = useField("/display_format", {
    empty: value === "",
    hint: edits ? t("fixed") : t("advanced.displayHint"),
  });
  return (
    <Select
      {...field}
      label={t("advanced.display")}
      placeholder={t("advanced.displayDefault")}
      clearable
      clearButtonProps={{ "aria-label": t("advanced.displayClear") }}
      readOnly={edits}
      data={withCurrent([{ value: "ORDER_DETAILS", label: t("advanced.orderDetails") }], value)}
      value={value === "" ? null : value}
      onChange={(chosen) => set(chosen ?? undefined)}
    />
  );
}

const UNITS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
type Unit = keyof typeof UNITS;
const UNIT_NAMES = Object.keys(UNITS) as Unit[];

/** The largest unit in which a time is a whole number. */
export function unitOf(seconds: number | undefined): Unit {
  if (seconds === undefined || seconds <= 0) return "seconds";
  return UNIT_NAMES.findLast((unit) => seconds % UNITS[unit] === 0) ?? "seconds";
}

function LifetimeField() {
  const { t } = useTranslation("composer");
  const seconds = useComposer((state) => state.draft.template.message_send_ttl_seconds) ?? undefined;
  const edits = useEdits();
  const set = useSet("message_send_ttl_seconds");
  // The sign alone is no number yet.
  const [minus, setMinus] = useState(false);
  const [unit, setUnit] = useState<Unit>(() => unitOf(seconds));
  // A time from elsewhere, such as an undone step, may not be whole in the unit that was chosen.
  const shown = seconds !== undefined && (seconds < 0 || seconds % UNITS[unit] !== 0) ? unitOf(seconds) : unit;
  const field = useField("/message_send_ttl_seconds", {
    empty: seconds === undefined,
    hint: edits ? t("fixed") : t("advanced.lifetimeHint"),
  });
  return (
    <div className={classes.lifetime}>
      <NumberInput
        {...field}
        label={t("advanced.lifetime")}
        placeholder={t("advanced.lifetimeDefault")}
        allowDecimal={false}
        maxLength={9}
        readOnly={edits}
        value={seconds !== undefined ? seconds / UNITS[shown] : minus ? "-" : ""}
        onChange={(value) => {
          const typed = Number(value);
          setMinus(value === "-");
          if (value !== "-" && !Number.isFinite(typed)) return;
          // A negative number has a meaning of its own and no unit.
          const next = value === "" || value === "-" ? undefined : typed < 0 ? typed : typed * UNITS[shown];
          if (next !== seconds) set(next);
        }}
      />
      <Select
        aria-label={t("advanced.unit")}
        mt={25}
        allowDeselect={false}
        readOnly={edits}
        data={UNIT_NAMES.map((value) => ({ value, label: t(`advanced.units.${value}`) }))}
        value={shown}
        onChange={(value) => {
          const next = (value ?? "seconds") as Unit;
          if (seconds !== undefined && seconds > 0) set((seconds / UNITS[shown]) * UNITS[next]);
          setUnit(next);
        }}
      />
    </div>
  );
}
