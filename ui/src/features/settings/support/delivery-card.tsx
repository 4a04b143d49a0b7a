import { Button } from "@mantine/core";
import { IconPlayerTrackNext, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeliveryDetail } from "@/bindings/app";
import { Card } from "@/components/card";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import { useKindText, useSubjectText, useSummaryText } from "@/components/event-kinds";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { NumberField } from "@/components/number-field";
import { hasInvalidNumber } from "@/components/number-text";
import styles from "@/components/styles.module.css";
import { settingsQueries } from "../queries";
import shared from "../settings.module.css";
import { useForwardStored } from "./forward-form";
import { Headers } from "./headers";
import { Raw } from "./raw";
import { useReplayOne } from "./replay-form";
import { Signature } from "./signature";
import classes from "./support.module.css";

interface DeliveryCardProps {
  /** The delivery that is open. */
  seq: number | undefined;
  onOpen: (seq: number) => void;
}

/** One delivery by its number: what it holds, byte for byte. */
export function DeliveryCard({ seq, onOpen }: DeliveryCardProps) {
  const { t } = useTranslation("support");
  const [typed, setTyped] = useState<number | undefined>(seq);
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== undefined && !hasInvalidNumber(typed)) onOpen(typed);
  };
  return (
    <Card title={t("delivery.title")} text={t("delivery.text")}>
      <form onSubmit={open} className={classes.open}>
        <NumberField
          label={t("delivery.number")}
          optional
          min={1}
          max={Number.MAX_SAFE_INTEGER}
          value={typed}
          onChange={setTyped}
        />
        <Button type="submit" variant="default" h={36} disabled={typed === undefined}>
          {t("delivery.open")}
        </Button>
      </form>
      {seq !== undefined && <Delivery seq={seq} />}
    </Card>
  );
}

function Delivery({ seq }: { seq: number }) {
  const { t } = useTranslation("support");
  const delivery = useQuery(settingsQueries.delivery(seq));
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const gone = delivery.error?.code === "notFound";
  return (
    <section className={classes.delivery} aria-labelledby="support-delivery-open">
      <h3 id="support-delivery-open" ref={title} tabIndex={-1}>
        {t("delivery.region", { seq })}
      </h3>
      {gone && <p className={styles.muted}>{t("delivery.gone")}</p>}
      {delivery.error && !gone && <ErrorNotice error={delivery.error} onRetry={() => void delivery.refetch()} />}
      {delivery.isPending && <Loading rows={4} />}
      {delivery.data && <Detail delivery={delivery.data} />}
    </section>
  );
}

function Detail({ delivery }: { delivery: DeliveryDetail }) {
  const { t } = useTranslation("support");
  const replay = useReplayOne();
  const forward = useForwardStored();
  const { seq, receivedAt, signature, digest, raw, rawBase64, headers } = delivery;
  return (
    <>
      <Facts>
        <dt>{t("delivery.received")}</dt>
        <dd>
          <Instant at={receivedAt} format="full" />
        </dd>
        <dt>{t("delivery.signature")}</dt>
        <dd>
          <Signature verdict={signature} />
        </dd>
        <dt>SHA-256</dt>
        <dd>
          <code className={classes.digest} title={digest}>
            {digest}
          </code>
          <CopyButton text={digest} label={t("delivery.copyDigest")} />
        </dd>
      </Facts>
      <div className={shared.buttons}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={replay.isPending}
          onClick={() => replay.run(seq)}
        >
          {t("replay.one")}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
          onClick={() => forward(seq)}
        >
          {t("forward.one")}
        </Button>
      </div>
      <Items items={delivery.items} />
      <h4>{t("delivery.raw")}</h4>
      <Raw text={raw} base64={rawBase64} label={t("delivery.raw")} />
      <h4>{t("delivery.headers")}</h4>
      <Headers headers={headers} />
    </>
  );
}

/** The events of a delivery. */
function Items({ items }: { items: DeliveryDetail["items"] }) {
  const { t } = useTranslation("support");
  const kindText = useKindText();
  const summary = useSummaryText();
  const subjectText = useSubjectText();
  if (items.length === 0) return <p className={styles.muted}>{t("delivery.noItems")}</p>;
  return (
    <>
      <h4>{t("delivery.items")}</h4>
      <ul className={classes.items}>
        {items.map((item) => (
          <li key={item.id}>
            <Link to="/activity" search={{ event: item.id }}>
              {kindText(item.kind)} · {subjectText(item)} · {summary(item)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
