import { modals } from "@mantine/modals";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Loading } from "@/components/loading";

const FromJsonForm = lazy(() => import("./from-json-form").then((form) => ({ default: form.FromJsonForm })));

/** Asks for the JSON of a template to make a draft of it. */
export function useNewFromJson(): () => void {
  const { t } = useTranslation("templates");
  return () =>
    modals.open({
      title: t("fromJson.title"),
      size: "lg",
      closeOnClickOutside: false,
      children: (
        <Suspense fallback={<Loading rows={4} />}>
          <FromJsonForm />
        </Suspense>
      ),
    });
}
