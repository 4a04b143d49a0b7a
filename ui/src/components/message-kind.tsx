import {
  IconAddressBook,
  IconArrowBackUp,
  IconFileText,
  IconForms,
  IconHelpCircle,
  IconInfoCircle,
  IconMapPin,
  IconMessage,
  IconMoodSmile,
  IconMusic,
  IconPencil,
  IconPhoto,
  IconShoppingCart,
  IconSticker,
  IconTemplate,
  IconTrash,
  IconVideo,
  type TablerIcon,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

const ICONS: Record<string, TablerIcon> = {
  text: IconMessage,
  image: IconPhoto,
  video: IconVideo,
  audio: IconMusic,
  document: IconFileText,
  sticker: IconSticker,
  button: IconArrowBackUp,
  interactive: IconForms,
  template: IconTemplate,
  reaction: IconMoodSmile,
  location: IconMapPin,
  contacts: IconAddressBook,
  order: IconShoppingCart,
  system: IconInfoCircle,
  edit: IconPencil,
  revoke: IconTrash,
};

/** The sign of a kind of message; a question mark for kinds nobody knows. */
export function MessageKindIcon({ kind, size = 15 }: { kind: string; size?: number }) {
  const Icon = ICONS[kind] ?? IconHelpCircle;
  return <Icon size={size} stroke={1.7} aria-hidden />;
}

/** The word of a kind of message in the language of the window; the word itself where it has none. */
export function useMessageKindText(): (kind: string) => string {
  const { t, i18n } = useTranslation("inbox");
  return (kind) => (i18n.exists(`kind.${kind}`, { ns: "inbox" }) ? t(`kind.${kind}` as "kind.image") : kind);
}
