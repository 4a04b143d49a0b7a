import { Button, PasswordInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SecretKind, SecretPlace } from "@/bindings/app";
import classes from "./settings.module.css";
import type { SecretDraft } from "./workspace-draft";

interface SecretFieldProps {
  kind: SecretKind;
  /** Where the stored one is; `somewhere` if only its existence is known. */
  place: SecretPlace | "somewhere";
  /** Where to find it, if not at the provider. */
  hint?: string;
  draft: SecretDraft;
  error: string | undefined;
  required?: boolean;
  /** The number whose endpoint it belongs to, as people call it, and the beginning of its field. */
  of?: { name: string; field: string } | undefined;
  onChange: (draft: SecretDraft) => void;
}

/** A secret can be typed or removed, never read: the stored one does not reach the window. */
export function SecretField({ kind, place, hint, draft, error, required = false, of, onChange }: SecretFieldProps) {
  const { t } = useTranslation("settings");
  const own = t(`secret.${kind}.label`);
  const label = of ? t("secret.ofNumber", { secret: own, number: of.name }) : own;
  const stored = place === "keyring" || place === "session" || place === "somewhere";
  return (
    <div className={classes.row}>
      <PasswordInput
        label={label}
        description={hint ?? t(`secret.${kind}.hint`)}
        placeholder={draft.remove ? t("secret.removed") : t(`secret.${place}`)}
        autoComplete="off"
        spellCheck={false}
        withAsterisk={required && !stored}
        data-field={of ? `${of.field}/${kind}` : kind}
        visibilityToggleButtonProps={{ "aria-label": t("secret.show") }}
        aria-invalid={error !== undefined}
        value={draft.typed}
        onChange={(event) => onChange({ typed: event.currentTarget.value, remove: false })}
        error={error}
        rightSectionWidth={draft.typed === "" && stored && !required ? 90 : undefined}
        rightSection={
          draft.typed === "" && stored && !required ? (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              onClick={() => onChange({ typed: "", remove: !draft.remove })}
              aria-label={t(draft.remove ? "secret.keepNamed" : "secret.removeNamed", {
                name: label,
              })}
            >
              {t(draft.remove ? "secret.keep" : "secret.remove")}
            </Button>
          ) : undefined
        }
      />
    </div>
  );
}
