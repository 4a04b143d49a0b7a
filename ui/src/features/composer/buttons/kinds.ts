// The types of buttons as they are offered.

import { useTranslation } from "react-i18next";
import type { Button } from "@/bindings/model";
import type { ButtonKind } from "./buttons";

/** Types in groups, the common ones first. */
export const GROUPS: { name: "common" | "more" | "shop"; kinds: ButtonKind[] }[] = [
  { name: "common", kinds: ["URL", "QUICK_REPLY", "PHONE_NUMBER", "COPY_CODE"] },
  { name: "more", kinds: ["FLOW", "VOICE_CALL", "REQUEST_CONTACT_INFO"] },
  { name: "shop", kinds: ["CATALOG", "MPM", "SPM", "ORDER_DETAILS"] },
];
/** What the cards of a carousel take. */
export const CARD_KINDS: ButtonKind[] = ["QUICK_REPLY", "URL", "PHONE_NUMBER"];
export const PRODUCT_CARD_KINDS: ButtonKind[] = ["SPM", "URL"];

const KNOWN: ReadonlySet<string> = new Set(["OTP", ...GROUPS.flatMap(({ kinds }) => kinds)]);

/** What a button is called by its place and type; types nobody knows by their name on the wire. */
export function useKindName(): (button: Button | undefined, index: number) => string {
  const { t } = useTranslation("composer");
  return (button, index) => {
    const type = button?.type ?? "?";
    return t("buttonNumber", { number: index + 1, kind: KNOWN.has(type) ? t(`button.${type as "URL"}`) : type });
  };
}
