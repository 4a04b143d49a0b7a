import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { isShortcut, useAriaKeys, useHint } from "@/lib/shortcuts";
import { useComposer, useComposerStore } from "./store";

/** Undo and redo across the whole form. */
export function UndoButtons() {
  const { t } = useTranslation("composer");
  const store = useComposerStore();
  const hint = useHint();
  const ariaKeys = useAriaKeys();
  const canUndo = useComposer((state) => state.past.length > 0);
  const canRedo = useComposer((state) => state.future.length > 0);
  return (
    <ActionIcon.Group>
      <Tooltip label={hint(t("undo"), "undo")}>
        <ActionIcon
          variant="default"
          disabled={!canUndo}
          onClick={() => store.getState().undo()}
          aria-label={t("undo")}
          aria-keyshortcuts={ariaKeys("undo")}
        >
          <IconArrowBackUp size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={hint(t("redo"), "redo")}>
        <ActionIcon
          variant="default"
          disabled={!canRedo}
          onClick={() => store.getState().redo()}
          aria-label={t("redo")}
          aria-keyshortcuts={ariaKeys("redo")}
        >
          <IconArrowForwardUp size={16} />
        </ActionIcon>
      </Tooltip>
    </ActionIcon.Group>
  );
}

/** The keys of undo and redo act on the form, not on one field alone; editors with a history of their own keep theirs. */
export function useUndoKeys(): void {
  const store = useComposerStore();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const redo = isShortcut(event, "redo");
      if (!redo && !isShortcut(event, "undo")) return;
      if (event.target instanceof Element && event.target.closest(".cm-editor, [role=dialog]")) return;
      event.preventDefault();
      if (redo) store.getState().redo();
      else store.getState().undo();
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [store]);
}
