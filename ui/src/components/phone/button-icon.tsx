import {
  IconArrowBackUp,
  IconBuildingStore,
  IconCopy,
  IconExternalLink,
  IconForms,
  IconPhone,
  IconPhoneCall,
  IconReceipt,
  IconSquareRounded,
  IconUserShare,
  type TablerIcon,
} from "@tabler/icons-react";

const ICONS: Record<string, TablerIcon> = {
  URL: IconExternalLink,
  QUICK_REPLY: IconArrowBackUp,
  PHONE_NUMBER: IconPhone,
  VOICE_CALL: IconPhoneCall,
  COPY_CODE: IconCopy,
  OTP: IconCopy,
  FLOW: IconForms,
  CATALOG: IconBuildingStore,
  MPM: IconBuildingStore,
  SPM: IconBuildingStore,
  ORDER_DETAILS: IconReceipt,
  REQUEST_CONTACT_INFO: IconUserShare,
};

/** Whether a type is known; the others are named by their type. */
export function isKnownKind(kind: string): boolean {
  return kind in ICONS;
}

/** The icon of a button by its type on the wire; a plain one for types nobody knows. */
export function ButtonIcon({ kind, size = 16 }: { kind: string; size?: number }) {
  const Icon = ICONS[kind] ?? IconSquareRounded;
  return <Icon size={size} stroke={1.8} aria-hidden />;
}
