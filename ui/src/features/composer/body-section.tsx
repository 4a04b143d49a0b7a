import { ActionIcon, Button, Stack, Textarea, Tooltip } from "@mantine/core";
import { IconBold, IconBraces, IconCode, IconItalic, IconStrikethrough, type TablerIcon } from "@tabler/icons-react";
import { type KeyboardEvent, memo, type RefObject, useCallback, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isShortcut, useAriaKeys, useHint } from "@/lib/shortcuts";
import classes from "./composer.module.css";
import { EmojiPicker } from "./emoji";
import { useField } from "./field";
import { insert, surround } from "./insertion";
import { nextVariable, setText } from "./parts";
import { useComponent, useParts } from "./parts-context";
import { Samples } from "./samples";
import { Section } from "./section";
import { useComposer } from "./store";

type Style = "bold" | "italic" | "strike" | "mono";

/** What the channel writes around a text to format it. */
const SIGNS: Record<Style, string> = { bold: "*", italic: "_", strike: "~", mono: "```" };
const STYLES: { style: Style; Icon: TablerIcon }[] = [
  { style: "bold", Icon: IconBold },
  { style: "italic", Icon: IconItalic },
  { style: "strike", Icon: IconStrikethrough },
  { style: "mono", Icon: IconCode },
];

export function BodySection() {
  const { t } = useTranslation("composer");
  const { base, card, change } = useParts();
  const spare = useComposer((state) => state.spare);
  const named = useComposer((state) => state.draft.template.parameter_format);
  const area = useRef<HTMLTextAreaElement>(null);
  const { component: body, path } = useComponent("BODY");
  const text = body?.text ?? "";
  const field = useField(`${path}/text`, { empty: text === "", also: card === undefined ? [path, base] : [path] });

  const set = useCallback(
    (value: string) => change((before) => setText(before, "BODY", value, spare), "body"),
    [change, spare],
  );
  const format = (style: Style) => area.current && surround(area.current, SIGNS[style], set);
  const write = useCallback((words: string) => area.current && insert(area.current, words, set), [set]);
  const addVariable = () => write(nextVariable(named, text));
  const tools = useRef<Tools>({ format, write, addVariable });
  tools.current = { format, write, addVariable };

  const onKeyDown = (event: KeyboardEvent) => {
    const match = STYLES.find(({ style }) => isShortcut(event, style));
    if (!match) return;
    event.preventDefault();
    format(match.style);
  };

  return (
    <Section title={t("body")}>
      <Stack gap="0.375rem">
        <Toolbar tools={tools} />
        <Textarea
          {...field}
          ref={area}
          aria-label={t("bodyText")}
          placeholder={t("bodyPlaceholder")}
          value={text}
          dir="auto"
          rows={rowsOf(text)}
          resize="vertical"
          onChange={(event) => set(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </Stack>
      <Samples kind="BODY" text={text} onInsert={write} />
    </Section>
  );
}

interface Tools {
  format: (style: Style) => void;
  write: (words: string) => void;
  addVariable: () => void;
}

/** The tools take what they do from a reference, so that a key in the text does not draw them again. */
const Toolbar = memo(function Toolbar({ tools }: { tools: RefObject<Tools> }) {
  const { t } = useTranslation("composer");
  const hint = useHint();
  const ariaKeys = useAriaKeys();
  return (
    <div className={classes.toolbar} role="group" aria-label={t("formatting")}>
      {STYLES.map(({ style, Icon }) => (
        <Tooltip key={style} label={hint(t(`style.${style}`), style)}>
          <ActionIcon
            onClick={() => tools.current.format(style)}
            aria-label={t(`style.${style}`)}
            aria-keyshortcuts={ariaKeys(style)}
            onMouseDown={keepFocus}
          >
            <Icon size={16} stroke={1.8} />
          </ActionIcon>
        </Tooltip>
      ))}
      <EmojiPicker onChoose={(emoji) => tools.current.write(emoji)} />
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconBraces size={14} />}
        onMouseDown={keepFocus}
        onClick={() => tools.current.addVariable()}
      >
        {t("addVariable")}
      </Button>
    </div>
  );
});

const MIN_ROWS = 5;
const MAX_ROWS = 16;
/** Characters of a row, about: the field can be drawn larger, and scrolls. */
const ROW = 64;

/** Rows of the field for its text. Estimated, because measuring forces a layout of the page with every key. */
function rowsOf(text: string): number {
  const rows = text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / ROW)), 0);
  return Math.min(MAX_ROWS, Math.max(MIN_ROWS, rows));
}

/** A press on a tool leaves caret and selection in the text. */
function keepFocus(event: { preventDefault: () => void }) {
  event.preventDefault();
}
