import { useQueries } from "@tanstack/react-query";
import type { MediaCheck } from "@/bindings/app";
import type { Bubble } from "@/bindings/model";
import type { Media } from "@/components/phone/media";
import { useWorkspace } from "@/lib/desk";
import { sendsQueries } from "./queries";

/** The pictures that the links of a message lead to, once they were looked at and are what the channel takes. */
export function useLinkedPictures(bubble: Bubble | undefined, checks: readonly MediaCheck[]) {
  const { id: workspace } = useWorkspace();
  const links = bubble === undefined ? [] : [linkOf(bubble), ...bubble.cards.map(linkOf)];
  const accepted = new Set(checks.filter(({ state }) => state === "ok").map(({ url }) => url));
  const asked = [...new Set(links)].filter((link) => link !== undefined && accepted.has(link)) as string[];
  const found = useQueries({ queries: asked.map((link) => sendsQueries.linkPicture(workspace, link)) });
  const [media, ...cardMedia] = links.map((link): Media | undefined => {
    const thumbnail = link === undefined ? undefined : found[asked.indexOf(link)]?.data?.thumbnail;
    return thumbnail ? { thumbnail } : undefined;
  });
  return { media, cardMedia };
}

function linkOf({ header }: Bubble): string | undefined {
  return header?.kind === "media" && header.format === "IMAGE" ? (header.link ?? undefined) : undefined;
}
