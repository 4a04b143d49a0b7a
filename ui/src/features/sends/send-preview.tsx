import { Tabs } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { MediaCheck, SendPreview as Preview } from "@/bindings/app";
import { CurlView } from "@/components/curl-view";
import { ErrorNotice } from "@/components/error-notice";
import { JsonView } from "@/components/json-view";
import { Loading } from "@/components/loading";
import { Panel } from "@/components/panel";
import { Phone } from "@/components/phone/phone";
import { usePictures } from "@/components/phone/use-pictures";
import { acceptedLinks } from "./accepted-links";
import classes from "./sends.module.css";

interface SendPreviewProps {
  preview: UseQueryResult<Preview>;
  /** What is known of the files behind links. */
  checks?: readonly MediaCheck[] | undefined;
  /** What is filled in. */
  values?: Readonly<Record<string, string>> | undefined;
  /** Name of the sending number. */
  sender: string | undefined;
  /** The card that is being filled. */
  card?: number | undefined;
}

/** What the phone will show, and the request that makes it, as JSON and for a terminal. */
export function SendPreview({ preview, checks, values = NO_VALUES, sender, card }: SendPreviewProps) {
  const { t } = useTranslation("sends");
  const pictures = usePictures(preview.data?.bubble, { mayFetch: acceptedLinks(Object.values(values), checks) });
  return (
    <Panel label={t("form.preview")} className={classes.preview}>
      {preview.error && (
        <div className={classes.refusal}>
          <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />
        </div>
      )}
      {preview.isPending && <Loading rows={3} />}
      {preview.data && (
        <Tabs defaultValue="phone">
          <Tabs.List grow mb="sm" aria-label={t("form.preview")}>
            <Tabs.Tab value="phone">{t("form.phone")}</Tabs.Tab>
            <Tabs.Tab value="json">JSON</Tabs.Tab>
            <Tabs.Tab value="curl">curl</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="phone" className={classes.phone}>
            <Phone bubble={preview.data.bubble} sender={sender} current={card} {...pictures} />
          </Tabs.Panel>
          <Tabs.Panel value="json">
            <JsonView text={preview.data.payload} label={t("form.request")} />
          </Tabs.Panel>
          <Tabs.Panel value="curl">
            <p className={classes.small}>{t("form.tokenLeftOut")}</p>
            <CurlView text={preview.data.curl} copyLabel={t("form.copyCurl")} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Panel>
  );
}

const NO_VALUES: Readonly<Record<string, string>> = {};
