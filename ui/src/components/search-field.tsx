import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";

/** Debounce of the search, in milliseconds. */
const TYPING_PAUSE = 100;

interface SearchFieldProps {
  /** The words that are searched for now, as the address has them. */
  value: string;
  /** Called with the text after the debounce. */
  onChange: (words: string) => void;
  /** Accessible name and placeholder. */
  label: string;
  clearLabel: string;
  size?: "xs" | "sm";
  className?: string | undefined;
  /** Moves on to the list, with the arrow down. */
  onLeave?: (() => void) | undefined;
  terms?: Terms | undefined;
  /** Whether it takes the focus when the dialog around it opens. */
  autoFocus?: boolean;
}

/** Text that is more than words to be found. It waits for Enter, and counts at once where it is pasted. */
interface Terms {
  isIn: (text: string) => boolean;
  /** Takes the text, and gives back the words that are left of it. */
  take: (text: string, how: "entered" | "pasted") => string;
  /** Says that Enter applies them. */
  hint: string;
}

/** Words to be found; the address follows what is typed. */
export function SearchField(props: SearchFieldProps) {
  const { value, onChange, label, clearLabel, size = "sm", className, onLeave, terms, autoFocus = false } = props;
  const pasting = useRef(false);
  const [typed, setTyped] = useState(value);
  const [synced, setSynced] = useState(value);
  if (value !== synced) {
    // The address was changed elsewhere: by a chip, by the palette, or by "back".
    setSynced(value);
    if (value !== typed.trim()) setTyped(value);
  }
  const send = useEffectEvent((words: string) => {
    if (words !== value && !terms?.isIn(words)) onChange(words);
  });
  useEffect(() => {
    const timer = setTimeout(() => send(typed.trim()), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" && onLeave) {
      event.preventDefault();
      onLeave();
    }
    if (event.key === "Escape") setTyped("");
    if (event.key === "Enter" && terms?.isIn(typed)) {
      event.preventDefault();
      setTyped(terms.take(typed, "entered"));
    }
  };
  const waits = terms?.isIn(typed) ?? false;

  return (
    <TextInput
      className={className}
      size={size}
      type="search"
      data-autofocus={autoFocus || undefined}
      value={typed}
      onPaste={() => {
        pasting.current = true;
      }}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(pasting.current && terms?.isIn(text) ? terms.take(text, "pasted") : text);
        pasting.current = false;
      }}
      description={waits ? <span role="status">{terms?.hint}</span> : undefined}
      inputWrapperOrder={["input", "description"]}
      onKeyDown={onKeyDown}
      leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
      rightSection={
        typed === "" ? null : <CloseButton size="sm" aria-label={clearLabel} onClick={() => setTyped("")} />
      }
      placeholder={label}
      aria-label={label}
      spellCheck={false}
    />
  );
}
