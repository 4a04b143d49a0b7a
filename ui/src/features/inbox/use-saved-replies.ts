// Saved replies in the reply box: found by `/` at the beginning of the text, or with a button, and filled in by the host.

import { useCombobox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { SavedReply } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { call } from "@/lib/ipc/client";
import { toFailure } from "@/lib/ipc/errors";
import { queries } from "@/lib/ipc/queries";
import type { ReplyTo } from "./queries";
import { draftOf } from "./reply-drafts";

interface Box {
  text: string;
  change: (text: string) => void;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** The slash at the beginning and what follows up to the caret; absent once there is a space or a line break. */
const slashOf = ({ value, selectionStart }: HTMLTextAreaElement) => /^\/\S*$/.exec(value.slice(0, selectionStart))?.[0];

export function useSavedReplies({ workspace, contact, number }: ReplyTo, { text, change, field }: Box) {
  const replies = useQuery(queries.savedReplies(workspace)).data?.rows ?? NONE;
  const [slash, setSlash] = useState<string>();
  const [isDismissed, setDismissed] = useState(false);
  /** What is searched for after the button was pressed. */
  const [search, setSearch] = useState<string>();
  /** What a person has to complete in texts that were inserted. */
  const [missing, setMissing] = useState<readonly string[]>([]);

  const typed = slash !== undefined && text.startsWith(slash) && !isDismissed ? slash : undefined;
  const words = search ?? typed?.slice(1);
  const found = words === undefined ? NONE : fitting(replies, words);
  const opened = search !== undefined || (typed !== undefined && found.length > 0);

  const close = () => {
    setSearch(undefined);
    setDismissed(true);
  };
  const store = useCombobox({ opened, onOpenedChange: (next) => !next && close() });
  const { selectFirstOption, resetSelectedOption } = store;
  const first = found[0]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words find other replies, of which the first is offered
  useEffect(() => {
    resetSelectedOption();
    if (opened) selectFirstOption();
  }, [opened, words, first]);

  /** Follows the caret. */
  const follow = (area: HTMLTextAreaElement) => {
    const next = slashOf(area);
    if (next !== slash) setSlash(next);
    // Back in the text, nobody searches.
    if (search !== undefined) setSearch(undefined);
    if (next === undefined || slash === undefined) setDismissed(false);
  };

  const choose = async (id: string) => {
    const at = field.current?.selectionEnd ?? text.length;
    close();
    try {
      const filled = await call("fill_saved_reply", { workspace, contact, number, id });
      // What was typed meanwhile stays; only the slash and its words are replaced.
      const now = draftOf(workspace, contact);
      const isReplaced = typed !== undefined && now.startsWith(typed);
      const [start, end] = isReplaced ? [0, typed.length] : [Math.min(at, now.length), Math.min(at, now.length)];
      const [before, after] = [now.slice(0, start), now.slice(end)];
      const lead = before === "" || /\s$/.test(before) ? before : `${before} `;
      const rest = after === "" || /^\s/.test(after) ? after : ` ${after}`;
      flushSync(() => {
        change(lead + filled.text + rest);
        setSlash(undefined);
        setMissing((known) => [...new Set([...known, ...filled.missing])]);
      });
      const [open] = filled.missing;
      if (open === undefined) select(field.current, lead.length + filled.text.length, 0);
      else select(field.current, lead.length + filled.text.indexOf(open), open.length);
    } catch (reason) {
      showFailure(toFailure(reason));
    }
  };

  return {
    store,
    opened,
    hasReplies: replies.length > 0,
    found,
    search,
    setSearch,
    /** Opens the list without a slash. */
    open: () => setSearch(""),
    close,
    follow,
    choose,
    missing: missing.filter((part) => text.includes(part)),
    complete: (part: string) => select(field.current, text.indexOf(part), part.length),
  };
}

const NONE: readonly SavedReply[] = [];

/** Those whose name has all the words, and first those whose name begins with them. */
function fitting(replies: readonly SavedReply[], search: string): readonly SavedReply[] {
  const words = search.trim().toLocaleLowerCase();
  const nameOf = ({ name }: SavedReply) => name.toLocaleLowerCase();
  const some = replies.filter((reply) => words.split(/\s+/).every((word) => nameOf(reply).includes(word)));
  const begins = (reply: SavedReply) => nameOf(reply).startsWith(words);
  return [...some.filter(begins), ...some.filter((reply) => !begins(reply))];
}

function select(area: HTMLTextAreaElement | null, from: number, length: number): void {
  area?.focus();
  area?.setSelectionRange(from, from + length);
}
