import { useTranslation } from "react-i18next";
import type { Batch } from "@/bindings/app";

/** Where the recipients of a batch came from: the name of the file, or the address book. */
export function useSourceText(): (batch: Pick<Batch, "source">) => string {
  const { t } = useTranslation("batches");
  return ({ source }) => (source === "recipients" ? t("view.recipients") : source);
}
