import { CloseButton, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import styles from "@/components/styles.module.css";
import { readTime } from "@/lib/local-time";
import classes from "./settings.module.css";

interface TokenExpiryProps {
  /** A day such as `2026-11-20`, as far as it was typed; empty where it is not known. */
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** Until when the token works, as the platform showed it; what is left is said, and a reminder promised. */
export function TokenExpiry({ value, error, onChange }: TokenExpiryProps) {
  const { t } = useTranslation("settings");
  const left = daysLeft(value);
  return (
    <div className={classes.rows}>
      <TextInput
        type="date"
        classNames={{ input: classes.date }}
        data-empty={value === "" || undefined}
        label={t("expiry.label")}
        description={t("expiry.hint")}
        placeholder="2026-11-20"
        data-field="tokenExpiresOn"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        rightSection={
          value === "" ? null : <CloseButton size="sm" aria-label={t("expiry.clear")} onClick={() => onChange("")} />
        }
      />
      {left !== undefined && (
        <p className={styles.muted} data-bad={left < 0 || undefined}>
          {left < 0 ? t("expiry.over") : left === 0 ? t("expiry.today") : t("expiry.left", { count: left })}
        </p>
      )}
    </div>
  );
}

/** Days from today until a day, both by the calendar here; absent where it is none. */
export function daysLeft(day: string, now = new Date()): number | undefined {
  const at = readTime(day);
  if (at === undefined) return undefined;
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  // A day may have an hour more or less.
  return Math.round((at - today) / 86_400_000);
}
