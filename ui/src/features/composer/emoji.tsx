import { ActionIcon, Loader, Popover, TextInput, Tooltip } from "@mantine/core";
import { IconMoodSmile } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { resolveLanguage } from "@/lib/i18n/languages";
import classes from "./emoji.module.css";
import { type Emoji, GROUPS, loadEmoji, recentEmoji, rememberEmoji, searchEmoji } from "./emoji-data";

const COLUMNS = 8;
const MAX_RESULTS = 96;

/** Chooses an emoji and hands it over, to be written at the caret. */
export function EmojiPicker({ onChoose }: { onChoose: (unicode: string) => void }) {
  const { t } = useTranslation("composer");
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const choose = (unicode: string) => {
    rememberEmoji(unicode);
    setOpened(false);
    // The text takes the focus.
    onChoose(unicode);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    setOpened(false);
    button.current?.focus();
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <Tooltip label={t("emoji.title")} disabled={opened}>
          <ActionIcon ref={button} aria-label={t("emoji.title")} onClick={() => setOpened((before) => !before)}>
            <IconMoodSmile size={16} stroke={1.8} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t("emoji.title")} onKeyDownCapture={onKeyDown}>
        {opened && <Choice onChoose={choose} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Choice({ onChoose }: { onChoose: (unicode: string) => void }) {
  const { t, i18n } = useTranslation("composer");
  const language = resolveLanguage(i18n.language, []);
  const all = useQuery({
    queryKey: ["emoji", language],
    queryFn: () => loadEmoji(language),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [query, setQuery] = useState("");
  const [recent] = useState(recentEmoji);
  const [group, setGroup] = useState<number>(GROUPS[0].group);
  const grid = useRef<HTMLDivElement>(null);

  if (all.isPending) return <Loader size="sm" aria-label={t("loading", { ns: "common" })} />;
  if (all.isError) return <ErrorNotice error={all.error} onRetry={() => void all.refetch()} />;
  const searching = query.trim() !== "";
  const shown = searching ? searchEmoji(all.data, query, MAX_RESULTS) : all.data.filter((it) => it.group === group);
  const named = (unicode: string): Emoji =>
    all.data.find((it) => it.unicode === unicode) ?? { unicode, label: unicode };
  const firstRows = searching ? [] : recent.map(named);

  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      grid.current?.querySelector<HTMLElement>("[role=gridcell]")?.focus();
    }
    if (event.key === "Enter") {
      event.preventDefault();
      const [first] = shown;
      if (searching && first) onChoose(first.unicode);
    }
  };

  return (
    <div className={classes.picker}>
      <TextInput
        size="xs"
        type="search"
        ref={takeFocus}
        aria-label={t("emoji.search")}
        placeholder={t("emoji.search")}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={onSearchKey}
      />
      <div className={classes.groups} role="group" aria-label={t("emoji.groups")}>
        {GROUPS.map(({ group: number, sign, name }) => (
          <button
            key={number}
            type="button"
            aria-label={t(`emoji.group.${name}`)}
            title={t(`emoji.group.${name}`)}
            aria-pressed={!searching && number === group}
            onClick={() => {
              setQuery("");
              setGroup(number);
            }}
          >
            {sign}
          </button>
        ))}
      </div>
      {shown.length === 0 ? (
        <p className={classes.none} role="status">
          {t("emoji.none")}
        </p>
      ) : (
        // Another choice begins at the first again.
        <Grid key={searching ? query : group} ref={grid} recent={firstRows} emoji={shown} onChoose={onChoose} />
      )}
    </div>
  );
}

/** The field comes when the names are there, after the picker has opened. */
function takeFocus(field: HTMLInputElement | null) {
  field?.focus({ preventScroll: true });
}

interface GridProps {
  ref: RefObject<HTMLDivElement | null>;
  recent: Emoji[];
  emoji: Emoji[];
  onChoose: (unicode: string) => void;
}

/** Emoji in rows; the arrow keys go from one to the next, also over the ends of rows. */
function Grid({ ref, recent, emoji, onChoose }: GridProps) {
  const { t } = useTranslation("composer");
  const [current, setCurrent] = useState(0);
  // Recent ones have rows of their own.
  const rows = [...rowsOf(recent), ...rowsOf(emoji)];
  const starts = rows.map((_, index) => rows.slice(0, index).reduce((sum, row) => sum + row.length, 0));
  const count = recent.length + emoji.length;

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = step(event.key, current, starts, count);
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=gridcell]")[next]?.focus();
  };

  return (
    <div ref={ref} role="grid" aria-label={t("emoji.title")} className={classes.grid} onKeyDown={onKeyDown}>
      {rows.map((row, line) => (
        <div
          key={line}
          role="row"
          tabIndex={-1}
          className={classes.row}
          data-last-recent={line === rowsOf(recent).length - 1 || undefined}
        >
          {row.map(({ unicode, label }, column) => {
            const index = (starts[line] ?? 0) + column;
            return (
              <button
                key={unicode}
                type="button"
                role="gridcell"
                tabIndex={index === current ? 0 : -1}
                aria-label={label}
                title={label}
                onFocus={() => setCurrent(index)}
                onClick={() => onChoose(unicode)}
              >
                {unicode}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function rowsOf(emoji: Emoji[]): Emoji[][] {
  return Array.from({ length: Math.ceil(emoji.length / COLUMNS) }, (_, row) =>
    emoji.slice(row * COLUMNS, (row + 1) * COLUMNS),
  );
}

/** Where a key leads from `current`; `starts` are the places at which the rows begin. */
export function step(key: string, current: number, starts: number[], count: number): number | undefined {
  const line = starts.findLastIndex((start) => start <= current);
  const column = current - (starts[line] ?? 0);
  const inLine = (to: number) => {
    const start = starts[to];
    return start === undefined ? current : Math.min(start + column, (starts[to + 1] ?? count) - 1);
  };
  switch (key) {
    case "ArrowRight":
      return Math.min(current + 1, count - 1);
    case "ArrowLeft":
      return Math.max(current - 1, 0);
    case "ArrowDown":
      return inLine(line + 1);
    case "ArrowUp":
      return inLine(line - 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
