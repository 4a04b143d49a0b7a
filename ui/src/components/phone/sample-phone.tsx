import type { ComponentProps } from "react";
import { Phone } from "./phone";
import { usePictures } from "./use-pictures";

/**
 * A phone that shows a template with its samples. Where there is no local file, the pictures of the samples are fetched
 * if they are files of the sandbox.
 */
export function SamplePhone({ media, cardMedia, ...phone }: Omit<ComponentProps<typeof Phone>, "foot">) {
  const pictures = usePictures(phone.bubble, { sandboxOnly: true });
  return (
    <Phone
      {...phone}
      media={media ?? pictures.media}
      cardMedia={pictures.cardMedia.map((picture, card) => cardMedia?.[card] ?? picture)}
    />
  );
}
