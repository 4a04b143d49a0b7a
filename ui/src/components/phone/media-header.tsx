import {
  IconFile,
  IconFileText,
  IconGif,
  IconMapPin,
  IconPhoto,
  IconShoppingBag,
  IconVideo,
  type TablerIcon,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { fileFacts } from "@/lib/file-facts";
import styles from "../styles.module.css";
import type { Media } from "./media";
import classes from "./phone.module.css";

const ICONS: Record<string, TablerIcon> = {
  IMAGE: IconPhoto,
  VIDEO: IconVideo,
  GIF: IconGif,
  DOCUMENT: IconFileText,
  LOCATION: IconMapPin,
  PRODUCT: IconShoppingBag,
};

interface MediaHeaderProps {
  format: string;
  link: string | null;
  media?: Media | null | undefined;
}

/** The header of a message: a picture where it is at hand, else an icon with what is known of the file. */
export function MediaHeader({ format, link, media }: MediaHeaderProps) {
  const { t, i18n } = useTranslation("phone");
  const Icon = ICONS[format] ?? IconFile;
  const key = `media.${format}`;
  const word = i18n.exists(key, { ns: "phone" }) ? t(key as "media.IMAGE") : format;
  // Only what is part of the page is ever shown; other addresses are not loaded.
  const picture = media?.thumbnail ?? (link?.startsWith("data:image/") ? link : undefined);
  const address = picture === link ? undefined : (link ?? undefined);
  const name = media?.name ?? word;
  const facts = media?.size === undefined ? undefined : fileFacts({ ...media, size: media.size }, i18n.language);
  if (format === "DOCUMENT") {
    return (
      <div className={classes.document} title={address}>
        <Icon size={26} stroke={1.5} aria-hidden />
        <span>{name}</span>
        {facts && <small>{facts}</small>}
      </div>
    );
  }
  return (
    <div className={classes.media} data-format={format} title={address}>
      {picture ? (
        <img src={picture} alt={name} />
      ) : (
        <>
          <Icon size={38} stroke={1.3} aria-hidden />
          <span className={styles.truncate}>{name}</span>
          {facts && <small>{facts}</small>}
        </>
      )}
    </div>
  );
}
