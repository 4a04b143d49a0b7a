import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Batch, BatchRowPreview, SendForm } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { Loading } from "@/components/loading";
import { Phone } from "@/components/phone/phone";
import { usePictures } from "@/components/phone/use-pictures";
import { PhoneNumber } from "@/components/phone-number";
import { useLanguageName } from "@/lib/language-name";
import { useNumberName } from "@/lib/number-names";
import { acceptedLinks } from "../accepted-links";
import { sendsQueries } from "../queries";
import classes from "./batches.module.css";
import { usePartTexts } from "./use-field-labels";

interface RowMessageProps {
  batch: Batch;
  row: number;
  onClose: () => void;
}

/** The message of a row that was not sent yet: what, from whom, to whom, with which values. */
export function RowMessage({ batch, row, onClose }: RowMessageProps) {
  const { t } = useTranslation("batches");
  const found = useQuery(sendsQueries.batchRow(batch.id, row));
  const form = useQuery(sendsQueries.sendForm(batch.workspace, batch.reference));
  const shown = found.data?.row;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={
        shown ? t("rowPreview.title", { name: shown.name || shown.formatted, nest: false }) : t("rows.row", { row })
      }
      closeButtonProps={{ "aria-label": t("close", { ns: "common" }) }}
    >
      {found.error && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Loading rows={3} />}
      {found.data && form.data && <Message batch={batch} preview={found.data} form={form.data} />}
    </Modal>
  );
}

function Message({ batch, preview, form }: { batch: Batch; preview: BatchRowPreview; form: SendForm }) {
  const { t } = useTranslation("batches");
  const languageName = useLanguageName();
  const sender = useNumberName()(batch.number) ?? batch.number;
  const partText = usePartTexts(form);
  const { row, values, bubble } = preview;
  const pictures = usePictures(bubble, { mayFetch: acceptedLinks(Object.values(values), undefined) });
  return (
    <div className={classes.start}>
      <Facts>
        <dt>{t("start.template")}</dt>
        <dd>
          {batch.templateName} · {languageName(batch.language)}
        </dd>
        <dt>{t("start.from")}</dt>
        <dd>{sender}</dd>
        <dt>{t("rowPreview.to")}</dt>
        <dd>
          {row.name && (
            <>
              <bdi>{row.name}</bdi>,{" "}
            </>
          )}
          <PhoneNumber>{row.formatted}</PhoneNumber>
        </dd>
        {Object.entries(values)
          .filter(([, value]) => value !== "")
          .flatMap(([part, value]) => [
            <dt key={part}>{partText(part) ?? part}</dt>,
            <dd key={`${part} value`} dir="auto">
              {value}
            </dd>,
          ])}
      </Facts>
      <Phone bubble={bubble} sender={sender} {...pictures} />
    </div>
  );
}
