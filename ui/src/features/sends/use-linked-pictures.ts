import { useQueries } from "@tanstack/react-query";
import type { MediaCheck } from "@/bindings/app";
import type { Bubble } from "@/bindings/model";
import type { Media } from "@/components/phone/media";
import { useWorkspace } from "@/lib/desk";
import { sendsQueries } from "./queries";

/**
 * The pictures of a message: those of the template's samples, and those behind links that were filled in, once they were
 * looked at and are what the channel takes.
 */
export function useLinkedPictures(
  bubble: Bubble | undefined | null,
  typed: readonly string[],
  checks: readonly MediaCheck[] = NONE,
) {
  const { id: workspace } = useWorkspace();
  const links = bubble ? [linkOf(bubble), ...bubble.cards.map(linkOf)] : [];
  const accepted = new Set(checks.filter(({ state }) => state === "ok").map(({ url }) => url));
  const filledIn = new Set(typed.map((value) => value.trim()));
  const asked = [...new Set(links)].filter(
    (link) => link !== undefined && (accepted.has(link) || !filledIn.has(link)),
  ) as string[];
  const found = useQueries({ queries: asked.map((link) => sendsQueries.linkPicture(workspace, link)) });
  const [media, ...cardMedia] = links.map((link): Media | undefined => {
    const thumbnail = link === undefined ? undefined : found[asked.indexOf(link)]?.data?.thumbnail;
    return thumbnail ? { thumbnail } : undefined;
  });
  return { media, cardMedia };
}

const NONE: readonly MediaCheck[] = [];

function linkOf({ header }: Bubble): string | undefined {
  return header?.kind === "media" && header.format === "IMAGE" ? (header.link ?? undefined) : undefined;
}
