import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { SenderHealth } from "@/bindings/app";
import { useAccountNoticeText } from "@/components/account-notice";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { useNumberName } from "@/lib/number-names";
import { settingsQueries } from "./queries";
import { SettingsPage } from "./settings-page";

/** What is known about each number that sends. */
export function NumbersSection() {
  const { t } = useTranslation("settings", { keyPrefix: "senders" });
  const { id: workspace, name } = useWorkspace();
  const nameOf = useNumberName();
  const health = useQuery(settingsQueries.senderHealth(workspace));
  return (
    <SettingsPage>
      <Card title={`${t("title")} · ${name}`} text={`${t("text")} ${t("usedNote")}`}>
        {health.isPending && <Loading />}
        {health.error && <ErrorNotice error={health.error} />}
        {health.data?.length === 0 && <p className={styles.muted}>{t("none")}</p>}
      </Card>
      {health.data?.map((number) => (
        <Card key={number.number} title={nameOf(number.number) ?? number.number}>
          <NumberFacts workspace={workspace} health={number} label={nameOf(number.number) ?? number.number} />
        </Card>
      ))}
    </SettingsPage>
  );
}

function NumberFacts({ workspace, health, label }: { workspace: string; health: SenderHealth; label: string }) {
  const { t } = useTranslation("settings", { keyPrefix: "senders" });
  const noticeText = useAccountNoticeText(workspace);
  const { limit, used, throughput, quality, name, notices } = health;
  const unknown = <span className={styles.muted}>{t("unknown")}</span>;
  return (
    <Facts label={label}>
      <dt>{t("id")}</dt>
      <dd>
        <span>{health.number}</span> <Proof health={health} />
      </dd>
      <dt>{t("limit")}</dt>
      <dd>
        {limit == null ? (
          unknown
        ) : (
          <div>
            {limit.kind === "unlimited" ? t("unlimited") : t("people", { count: limit.people })}
            {health.limitAt != null && <AsOf at={health.limitAt} />}
          </div>
        )}
      </dd>
      <dt>{t("used")}</dt>
      <dd>
        <div>
          {t("usedPeople", { count: used })}
          {health.nextLeavesAt != null && (
            <>
              {" · "}
              {t("leaves")} <Instant at={health.nextLeavesAt} format="full" />
            </>
          )}
        </div>
      </dd>
      <dt>{t("throughput")}</dt>
      <dd>
        {throughput == null ? (
          unknown
        ) : (
          <div>
            {t("throughputHigher", { value: throughput.value, nest: false })}
            <AsOf at={throughput.at} />
          </div>
        )}
      </dd>
      <dt>{t("quality")}</dt>
      <dd>
        {quality.length === 0
          ? unknown
          : quality.map(({ value, at }) => (
              <div key={at}>
                {t(value === "FLAGGED" ? "low" : "notLow")}
                <AsOf at={at} />
              </div>
            ))}
      </dd>
      <dt>{t("name")}</dt>
      <dd>
        {name == null ? (
          unknown
        ) : (
          <div>
            <Decision name={name.value} decision={health.nameDecision ?? ""} />
            <AsOf at={name.at} />
          </div>
        )}
      </dd>
      <dt>{t("notices")}</dt>
      <dd>
        {notices.length === 0
          ? t("noNotices")
          : notices.map((notice) => {
              const { title, facts } = noticeText(notice);
              return (
                <div key={notice.id}>
                  <strong>{title}</strong> {facts}
                  <AsOf at={notice.at} />
                </div>
              );
            })}
      </dd>
    </Facts>
  );
}

/** Whether the identifier is right, and how to prove it. No request tests it without sending. */
function Proof({ health: { number, isProven, unlisted } }: { health: SenderHealth }) {
  const { t } = useTranslation("settings", { keyPrefix: "senders" });
  if (isProven) return <span className={styles.muted}>({t("proven")})</span>;
  return (
    <>
      <span>{unlisted.length > 0 ? t("notThere", { ids: unlisted.join(", "), nest: false }) : t("unproven")}</span>{" "}
      <Link to="/sends/new" search={{ number }}>
        {t("prove")}
      </Link>
    </>
  );
}

const DECISIONS = ["approved", "rejected", "pending", "deferred"] as const;

/** The channel's decision about a name; an unknown word as it is. */
function Decision({ name, decision }: { name: string; decision: string }) {
  const { t } = useTranslation("settings", { keyPrefix: "senders" });
  const known = DECISIONS.find((word) => word === decision.toLowerCase());
  return <>{t("decision", { name, decision: known ? t(known) : decision, nest: false })}</>;
}

function AsOf({ at }: { at: number }) {
  const { t } = useTranslation("settings", { keyPrefix: "senders" });
  return (
    <span className={styles.muted}>
      {" "}
      ({t("asOf")} <Instant at={at} format="full" />)
    </span>
  );
}
