import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { LabelCount } from "@/bindings/app";

interface LabelFilterProps {
  labels: readonly LabelCount[];
  value: string | undefined;
  onChange: (label: string | undefined) => void;
}

/** Narrows recipients to those with a label. */
export function LabelFilter({ labels, value, onChange }: LabelFilterProps) {
  const { t } = useTranslation("batches");
  const known = value === undefined || labels.some(({ label }) => label === value);
  return (
    <Select
      w={190}
      aria-label={t("recipients.label")}
      placeholder={t("recipients.allLabels")}
      clearable
      searchable={labels.length > 8}
      clearButtonProps={{ "aria-label": t("recipients.allLabels") }}
      comboboxProps={{ width: "max-content", position: "bottom-start", shadow: "md" }}
      value={value ?? null}
      onChange={(label) => onChange(label ?? undefined)}
      data={[
        ...labels.map(({ label, count }) => ({ value: label, label: `${label} (${count})` })),
        // A selected label stays in the list when no recipient has it any more.
        ...(known || value === undefined ? [] : [{ value, label: `${value} (0)` }]),
      ]}
    />
  );
}
