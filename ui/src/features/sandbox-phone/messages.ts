// What a message of a phone says, in a line.

import type { PhoneMessage } from "@/bindings/app";
import type { Block, Bubble } from "@/bindings/model";

/** The beginning of a message, for a quote of it and for the names of its controls; empty where it has no words. */
export function excerptOf({ bubble, text, media }: PhoneMessage, length = 80): string {
  const words = (text || (bubble && bubbleText(bubble)) || media?.name || "").replace(/\s+/g, " ").trim();
  return words.length > length ? `${[...words].slice(0, length).join("")}…` : words;
}

function bubbleText({ header, body, cards }: Bubble): string {
  const first = body.map(blockText).find((line) => line !== "");
  return first ?? (header?.kind === "text" ? header.text : (cards[0] && bubbleText(cards[0])) || "");
}

function blockText(block: Block): string {
  return block.kind === "code" ? block.text : block.runs.map(({ text }) => text).join("");
}
