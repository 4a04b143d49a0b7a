import { SegmentedControl, Select, Stack, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SandboxSettings } from "@/bindings/app";
import classes from "./sandbox-phone.module.css";

const PROFILES = ["whatsapp", "minimal", "agency"] as const;
const LISTINGS = ["data", "array", "data_items", "data_templates", "templates", "results", "items"] as const;
const CREATIONS = ["uuid", "data_uuid", "id"] as const;

type Minimal = SandboxSettings["minimal"];

interface ProfileSettingsProps {
  profile: SandboxSettings["profile"];
  minimal: Minimal;
  onProfile: (profile: SandboxSettings["profile"]) => void;
  onMinimal: (part: Partial<Minimal>) => void;
}

/** How much the provider says, and the forms of the minimal profile. */
export function ProfileSettings({ profile, minimal, onProfile, onMinimal }: ProfileSettingsProps) {
  const { t } = useTranslation("sandboxPhone");
  const flag = (key: "archived" | "category" | "messageId" | "emptyAnswers", help?: string) => (
    <Switch
      size="xs"
      label={t(`profile.${key}`)}
      description={help}
      checked={minimal[key]}
      onChange={(event) => onMinimal({ [key]: event.currentTarget.checked })}
    />
  );
  return (
    <fieldset className={classes.group}>
      <legend>{t("profile.title")}</legend>
      <Stack gap="0.375rem" fz="sm" fw={500}>
        <span id="profile">{t("profile.label")}</span>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-labelledby="profile"
          aria-describedby="profile-text"
          value={profile}
          onChange={(value) => onProfile(value as SandboxSettings["profile"])}
          data={PROFILES.map((value) => ({ value, label: t(`profile.is.${value}`) }))}
        />
        <p id="profile-text" className={classes.help}>
          {t(`profile.text.${profile}`)}
        </p>
      </Stack>
      {profile === "minimal" && (
        <>
          {flag("archived", t("profile.archivedText"))}
          {flag("category")}
          {flag("messageId", t("profile.messageIdText"))}
          {flag("emptyAnswers", t("profile.emptyAnswersText"))}
          <Select
            label={t("profile.listing")}
            data={LISTINGS.map((value) => ({ value, label: t(`profile.listingIs.${value}`) }))}
            value={minimal.listing}
            onChange={(listing) => listing && onMinimal({ listing: listing as Minimal["listing"] })}
            allowDeselect={false}
          />
          <Select
            label={t("profile.creation")}
            data={CREATIONS.map((value) => ({ value, label: t(`profile.creationIs.${value}`) }))}
            value={minimal.creation}
            onChange={(creation) => creation && onMinimal({ creation: creation as Minimal["creation"] })}
            allowDeselect={false}
          />
        </>
      )}
    </fieldset>
  );
}
