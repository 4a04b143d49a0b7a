import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Explanation, FailureDetail } from "@/bindings/model";
import { byteSize } from "@/lib/bytes";
import { useErrorCodeText } from "./error-code";
import classes from "./failure-explained.module.css";
import { JsonView } from "./json-view";
import { providerMessages } from "./provider-messages";
import styles from "./styles.module.css";

interface FailureExplainedProps {
  explanation?: Explanation | null | undefined;
  /** The error object as it came, as JSON. */
  error?: string | null | undefined;
  /** Whether the message is a free text and not a template. */
  isFreeText?: boolean;
  /** Identifier of the number that sent it. */
  number?: string | undefined;
}

/** Why a message failed: what it means, whether trying again helps, what to do, and the provider's own words. */
export function FailureExplained({ explanation, error, isFreeText, number }: FailureExplainedProps) {
  const { t } = useTranslation();
  const known = useErrorCodeText()(explanation?.code, isFreeText);
  const setting = explanation?.setting;
  const words = explanation?.words ?? (error ? providerMessages(error) : []);
  return (
    <>
      <dl className={classes.facts}>
        {explanation && explanation.code !== "" && (
          <div>
            <dt>{t("failure.code")}</dt>
            <dd>
              <code>{explanation.code}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>{t("failure.meaning")}</dt>
          <dd>{setting ? t(`failure.setting.${setting}.meaning`) : (known?.meaning ?? t("failure.unknown"))}</dd>
        </div>
        <div>
          <dt>{t("failure.retry")}</dt>
          <dd>{t(`failure.retries.${explanation?.retry ?? "unknown"}`)}</dd>
        </div>
        <div>
          <dt>{t("failure.advice")}</dt>
          <dd>
            {setting ? t(`failure.setting.${setting}.advice`) : (known?.advice ?? t("failure.unknownAdvice"))}
            {setting && (
              <>
                {" "}
                <Link to="/settings" search={{ section: "workspace", field: setting, ...(number ? { number } : {}) }}>
                  {t(`failure.setting.${setting}.open`)}
                </Link>
              </>
            )}
          </dd>
        </div>
        {explanation?.details?.map((detail) => (
          <Detail key={detail.name} detail={detail} />
        ))}
        {words.length > 0 && (
          <div>
            <dt>{t("failure.words")}</dt>
            <dd>
              {words.map((word) => (
                <q key={word}>{word}</q>
              ))}
            </dd>
          </div>
        )}
      </dl>
      {error && (
        <details className={styles.unfold}>
          <summary>{t("failure.raw")}</summary>
          <JsonView text={error} label={t("failure.raw")} maxHeight="14rem" />
        </details>
      )}
    </>
  );
}

/** A part of the error object beside its sentences: sizes as people read them, anything else as it came. */
function Detail({ detail: { name, value } }: { detail: FailureDetail }) {
  const { t, i18n } = useTranslation();
  const bytes = name.endsWith("_bytes") && /^\d+$/.test(value) ? Number(value) : undefined;
  return (
    <div>
      <dt>
        {name === "file_size_bytes" || name === "max_size_bytes" ? t(`failure.details.${name}`) : <code>{name}</code>}
      </dt>
      <dd>{bytes === undefined ? value : byteSize(bytes, i18n.language)}</dd>
    </div>
  );
}
