import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";
import { showFailure } from "@/components/show-failure";

/** Asks for the JSON of a template to create a draft from it. */
export function useNewFromJson(): () => void {
  const { t } = useTranslation("templates");
  return () =>
    void import("./from-json-form").then(
      ({ FromJsonForm }) =>
        modals.open({ title: t("fromJson.title"), size: "lg", closeOnClickOutside: false, children: <FromJsonForm /> }),
      showFailure,
    );
}
