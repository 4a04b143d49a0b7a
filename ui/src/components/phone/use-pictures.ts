import { useQueries } from "@tanstack/react-query";
import type { Bubble } from "@/bindings/model";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import type { Media } from "./media";

interface Pictures {
  /** The picture of the header. */
  media: Media | undefined;
  /** The pictures of the cards, in their order. */
  cardMedia: (Media | undefined)[];
}

interface Limits {
  /** Only links for which it returns true are fetched. */
  mayFetch?: (link: string) => boolean;
  /** Only files of the built-in sandbox are fetched. */
  sandboxOnly?: boolean;
}

/** Thumbnails of the pictures that a message links to, fetched by the host. */
export function usePictures(
  bubble: Bubble | undefined | null,
  { mayFetch = always, sandboxOnly = false }: Limits = {},
): Pictures {
  const { id: workspace } = useWorkspace();
  const links = bubble ? [linkOf(bubble), ...bubble.cards.map(linkOf)] : [];
  const fetched = [...new Set(links)].filter((link) => link !== undefined && mayFetch(link)) as string[];
  const found = useQueries({ queries: fetched.map((link) => queries.linkPicture(workspace, link, sandboxOnly)) });
  const [media, ...cardMedia] = links.map((link): Media | undefined => {
    const thumbnail = link === undefined ? undefined : found[fetched.indexOf(link)]?.data?.thumbnail;
    return thumbnail ? { thumbnail } : undefined;
  });
  return { media, cardMedia };
}

const always = () => true;

/** The address of the picture in the header; a `data:` URL needs no fetching. */
function linkOf({ header }: Bubble): string | undefined {
  const link = header?.kind === "media" && header.format === "IMAGE" ? header.link : undefined;
  return link && !link.startsWith("data:") ? link : undefined;
}
