import { Checkbox, Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Offer } from "@/bindings/model";
import styles from "@/components/styles.module.css";
import { useField } from "./field";
import { put } from "./parts";
import { useComponent, useParts } from "./parts-context";
import { Section } from "./section";
import { useComposer } from "./store";

/** A limited-time offer: for marketing, or where one is there already. */
export function OfferSection() {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  const { component } = useComponent("LIMITED_TIME_OFFER");
  const marketing = useComposer((state) => state.draft.template.category?.toLowerCase() === "marketing");
  if (!component && !marketing) return null;
  return (
    <Section
      title={t("offer.title")}
      aside={
        <Switch
          aria-label={t("offer.title")}
          checked={component !== undefined}
          onChange={({ currentTarget: { checked } }) =>
            change((before) =>
              put(before, "LIMITED_TIME_OFFER", () =>
                checked
                  ? { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "", has_expiration: true } }
                  : undefined,
              ),
            )
          }
        />
      }
    >
      {component ? (
        <OfferFields offer={component.limited_time_offer} />
      ) : (
        <p className={styles.small}>{t("offer.hint")}</p>
      )}
    </Section>
  );
}

function OfferFields({ offer }: { offer: Offer }) {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  const { path } = useComponent("LIMITED_TIME_OFFER");
  const field = useField(`${path}/limited_time_offer/text`, {
    empty: offer.text === "",
    also: [path, `${path}/limited_time_offer`],
  });
  const set = (next: Partial<Offer>, key?: string) =>
    change(
      (before) =>
        put(before, "LIMITED_TIME_OFFER", (it) => ({
          ...it,
          type: "LIMITED_TIME_OFFER",
          limited_time_offer: { ...(it?.limited_time_offer as Offer | undefined), ...next },
        })),
      key,
    );
  return (
    <>
      <TextInput
        {...field}
        label={t("offer.heading")}
        placeholder={t("offer.headingPlaceholder")}
        required
        value={offer.text}
        onChange={(event) => set({ text: event.currentTarget.value }, "offer")}
      />
      <Checkbox
        data-path={`${path}/limited_time_offer/has_expiration`}
        label={t("offer.expires")}
        description={t("offer.expiresHint")}
        checked={offer.has_expiration === true}
        onChange={(event) => set({ has_expiration: event.currentTarget.checked })}
      />
    </>
  );
}
