import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Bubble } from "@/bindings/model";
import { BubbleView } from "./bubble-view";
import type { Media } from "./media";
import { PhoneFrame } from "./phone-frame";

interface PhoneProps {
  bubble: Bubble;
  /** Name of the sending number; "Your business" where it is not known. */
  sender?: string | undefined;
  /** The file of the header. */
  media?: Media | null | undefined;
  /** The files of the cards, in their order. */
  cardMedia?: (Media | null | undefined)[] | undefined;
  /** The card to be shown, by its position. */
  current?: number | undefined;
  /** Time and status of a message that was sent. */
  foot?: ReactNode;
}

/** A phone that shows one message as its recipient will see it. */
export function Phone({ bubble, sender, media, cardMedia, current, foot }: PhoneProps) {
  const { t } = useTranslation("phone");
  return (
    <PhoneFrame label={t("title")} title={sender ?? t("sender")}>
      <BubbleView bubble={bubble} media={media} cardMedia={cardMedia} current={current} foot={foot} />
    </PhoneFrame>
  );
}
