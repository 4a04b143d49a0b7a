import { UnstyledButton } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { MessageFact } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./message.module.css";

/** Facts of a message besides its text: contacts, items of an order, places. */
export function Facts({ kind, facts }: { kind: string; facts: MessageFact[] }) {
  return groupsOf(kind, facts).map((group, index) => (
    <dl key={index} className={classes.facts}>
      {group.map((fact, row) => (
        <FactRow key={row} fact={fact} />
      ))}
    </dl>
  ));
}

/** Kinds that are taps on buttons: the text is the button's. */
export const TAPS = new Set(["button", "interactive"]);

/** Facts that only engineers need; they are in the menu of the message. */
export function isTechnical(kind: string, label: string): boolean {
  return TAPS.has(kind) && (label === "payload" || label === "replyId");
}

/** The label with which a card or an item begins. */
const BEGINNINGS: Record<string, string> = { contacts: "name", order: "product" };

export function groupsOf(kind: string, facts: MessageFact[]): MessageFact[][] {
  const groups: MessageFact[][] = [];
  for (const fact of facts) {
    const last = groups.at(-1);
    // The catalogue is that of the whole order.
    const apart = kind === "order" && fact.label === "catalog";
    if (last === undefined || fact.label === BEGINNINGS[kind] || apart) groups.push([fact]);
    else last.push(fact);
  }
  return groups;
}

/** Labels whose values are `true` or `false`. */
const TRUTHS = new Set(["forwarded", "forwardedOften", "permanent"]);

function FactRow({ fact: { label, value, link: named } }: { fact: MessageFact }) {
  const { t, i18n } = useTranslation("inbox");
  const openLink = useCommand("open_link");
  // Both degrees name the same map.
  const isLocation = label === "latitude";
  const link = label === "longitude" ? undefined : named;
  const words = i18n.exists(`fact.${label}`, { ns: "inbox" }) ? t(`fact.${label}` as "fact.address") : label;
  const inWords = (label: string, value: string) => {
    const key = `systemType.${value}`;
    return label === "systemType" && i18n.exists(key, { ns: "inbox" })
      ? t(key as "systemType.user_changed_number")
      : value;
  };
  const instant = label.endsWith("At") ? Number(value) : Number.NaN;
  const shown = TRUTHS.has(label) && (value === "true" || value === "false") ? t(value) : inWords(label, value);
  return (
    <div>
      <dt>{words}</dt>
      <dd>
        {Number.isSafeInteger(instant) ? <Instant at={instant} format="full" /> : <span dir="auto">{shown}</span>}
        {link && (
          <UnstyledButton
            className={classes.link}
            title={link}
            aria-label={t(isLocation ? "openMap" : "openLink", { address: link })}
            onClick={() => openLink.mutate({ url: link })}
          >
            <IconExternalLink size={14} stroke={1.7} aria-hidden />
            {isLocation ? t("map") : t("open")}
          </UnstyledButton>
        )}
        {openLink.error && <ErrorNotice error={openLink.error} />}
      </dd>
    </div>
  );
}
