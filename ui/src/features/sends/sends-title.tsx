import { VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SendsView } from "./sends-tabs";

/** The heading of the lists of Sends: the same words for each, so that the views beside it stay in place. */
export function SendsTitle({ view }: { view: SendsView }) {
  const { t } = useTranslation("sends");
  return (
    <>
      {t("title")}
      {view !== "sends" && <VisuallyHidden>: {t(`view.${view}`, { ns: "batches" })}</VisuallyHidden>}
    </>
  );
}
