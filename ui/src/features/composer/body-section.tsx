import { ActionIcon, Button, InputBase, Stack, Tooltip } from "@mantine/core";
import { IconBold, IconBraces, IconCode, IconItalic, IconStrikethrough, type TablerIcon } from "@tabler/icons-react";
import { type ClipboardEvent, type ComponentProps, type KeyboardEvent, type RefObject, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isShortcut, useAriaKeys, useHint } from "@/lib/shortcuts";
import classes from "./composer.module.css";
import { EmojiPicker } from "./emoji";
import { useField } from "./field";
import { formattedText } from "./formatted-paste";
import { insert, surround } from "./insertion";
import { nextVariable, setText, textOf } from "./parts";
import { partsOf, useCard, useComponentPath, useParts } from "./parts-context";
import { Samples } from "./samples";
import { Section } from "./section";
import { useComposer, useComposerStore } from "./store";

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
  const { change } = useParts();
  const spare = useComposer((state) => state.spare);
  const area = useRef<HTMLTextAreaElement>(null);
  const set = (value: string) => change((before) => setText(before, "BODY", value, spare), "body");
  const write = (words: string) => area.current && insert(area.current, words, set);
  const format = (style: Style) => area.current && surround(area.current, SIGNS[style], set);

  const onKeyDown = (event: KeyboardEvent) => {
    const match = STYLES.find(({ style }) => isShortcut(event, style));
    if (!match) return;
    event.preventDefault();
    format(match.style);
  };

  const onPaste = (event: ClipboardEvent) => {
    const { clipboardData } = event;
    const text = formattedText(clipboardData.getData("text/plain"), clipboardData.getData("text/html"));
    if (text === undefined) return;
    event.preventDefault();
    write(text);
  };

  return (
    <Section title={t("body")}>
      <Stack gap="0.375rem">
        <Toolbar onFormat={format} onWrite={write} />
        <BodyField area={area} onChange={set} onKeyDown={onKeyDown} onPaste={onPaste} />
      </Stack>
      <Samples kind="BODY" onInsert={write} />
    </Section>
  );
}

interface ToolbarProps {
  onFormat: (style: Style) => void;
  /** Writes at the caret. */
  onWrite: (words: string) => void;
}

function Toolbar({ onFormat, onWrite }: ToolbarProps) {
  const { t } = useTranslation("composer");
  const store = useComposerStore();
  const card = useCard();
  const hint = useHint();
  const ariaKeys = useAriaKeys();
  const addVariable = () => {
    const state = store.getState();
    onWrite(nextVariable(state.draft.template.parameter_format, textOf(partsOf(state, card), "BODY")));
  };
  return (
    <div className={classes.toolbar} role="group" aria-label={t("formatting")}>
      {STYLES.map(({ style, Icon }) => (
        <Tooltip key={style} label={hint(t(`style.${style}`), style)}>
          <ActionIcon
            onClick={() => onFormat(style)}
            aria-label={t(`style.${style}`)}
            aria-keyshortcuts={ariaKeys(style)}
            onMouseDown={keepFocus}
          >
            <Icon size={16} stroke={1.8} />
          </ActionIcon>
        </Tooltip>
      ))}
      <EmojiPicker onChoose={onWrite} />
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconBraces size={14} />}
        onMouseDown={keepFocus}
        onClick={addVariable}
      >
        {t("addVariable")}
      </Button>
    </div>
  );
}

interface BodyFieldProps {
  area: RefObject<HTMLTextAreaElement | null>;
  onChange: (value: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onPaste: (event: ClipboardEvent) => void;
}

function BodyField({ area, onChange, onKeyDown, onPaste }: BodyFieldProps) {
  const { t } = useTranslation("composer");
  const { base, card } = useParts();
  const path = useComponentPath("BODY");
  const empty = useComposer((state) => textOf(partsOf(state, card), "BODY") === "");
  const field = useField(`${path}/text`, { empty, also: card === undefined ? [path, base] : [path] });
  return (
    <InputBase
      {...field}
      component={BodyText}
      multiline
      classNames={{ input: classes.bodyText }}
      ref={area}
      aria-label={t("bodyText")}
      placeholder={t("bodyPlaceholder")}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    />
  );
}

/** A component of its own inside Mantine's: to draw Mantine's with every key is slow. */
function BodyText(props: ComponentProps<"textarea">) {
  const card = useCard();
  const text = useComposer((state) => textOf(partsOf(state, card), "BODY"));
  return <textarea {...props} dir="auto" value={text} rows={rowsOf(text)} />;
}

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
