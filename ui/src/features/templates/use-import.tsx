import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";
import { showFailure } from "@/components/show-failure";

const MODAL = "import templates";

/** Asks for templates as text, files or a folder to create drafts from them. */
export function useImport(): () => void {
  const { t } = useTranslation("templates");
  return () =>
    void import("./import-form").then(
      ({ ImportForm }) =>
        modals.open({
          modalId: MODAL,
          title: t("import.title"),
          size: "xl",
          closeOnClickOutside: false,
          children: <ImportForm modalId={MODAL} />,
        }),
      showFailure,
    );
}
