import { modals } from "@mantine/modals";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Loading } from "@/components/loading";

const ShortcutSheet = lazy(() => import("./shortcut-sheet").then((sheet) => ({ default: sheet.ShortcutSheet })));

/** Shows all shortcuts, which can be changed there. */
export function useShowShortcuts(): () => void {
  const { t } = useTranslation("shell");
  return () =>
    modals.open({
      modalId: "shortcuts",
      title: t("shortcuts.title"),
      size: "lg",
      children: (
        <Suspense fallback={<Loading />}>
          <ShortcutSheet />
        </Suspense>
      ),
    });
}
