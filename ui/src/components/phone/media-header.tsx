import {
  IconFile,
  IconFileText,
  IconGif,
  IconMapPin,
  IconPhoto,
  IconPlayerPlayFilled,
  IconShoppingBag,
  IconVideo,
  type TablerIcon,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
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
  media?: Media | undefined;
}

/** The place of a picture, film, document or map: the file itself where it is at hand, else what will stand there. */
export function MediaHeader({ format, link, media }: MediaHeaderProps) {
  const { t, i18n } = useTranslation("phone");
  const Icon = ICONS[format] ?? IconFile;
  const key = `media.${format}`;
  const word = i18n.exists(key, { ns: "phone" }) ? t(key as "media.IMAGE") : format;
  // Only what is part of the page is ever shown; other addresses are not loaded.
  const picture = media?.thumbnail ?? (link?.startsWith("data:image/") ? link : undefined);
  const address = picture === link ? undefined : (link ?? undefined);
  if (format === "DOCUMENT") {
    return (
      <div className={classes.document}>
        {media?.thumbnail && <img src={media.thumbnail} alt="" />}
        <Icon size={26} stroke={1.5} aria-hidden />
        <span title={address}>{media?.name ?? word}</span>
      </div>
    );
  }
  return (
    <div className={classes.media} data-format={format} title={address}>
      {picture ? (
        <>
          <img src={picture} alt={media?.name ?? word} />
          {format === "VIDEO" && (
            <span className={classes.play} aria-hidden>
              <IconPlayerPlayFilled size={18} />
            </span>
          )}
        </>
      ) : (
        <>
          <Icon size={38} stroke={1.3} aria-hidden />
          <span>{media?.name ?? word}</span>
        </>
      )}
    </div>
  );
}
