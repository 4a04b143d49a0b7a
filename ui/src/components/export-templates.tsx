import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import type { TemplateExport, TemplateTarget } from "@/bindings/app";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./export-templates.module.css";
import { FilePath } from "./file-path";
import { showFailure } from "./show-failure";

/** Writes templates into a folder that the person chooses, and says what came of it. */
export function useExportTemplates() {
  const { t } = useTranslation("templates");
  const workspace = useWorkspace();
  const { mutate, isPending } = useCommand("export_templates");
  const run = (target: TemplateTarget) =>
    mutate(
      { workspace: workspace.id, target },
      {
        // Nothing comes back where the dialog was closed without a choice.
        onSuccess: (written) => {
          if (written === null) return;
          const title = t("export.done", { count: written.files });
          if (written.problems.length > 0) modals.open({ title, children: <Written written={written} /> });
          else notifications.show({ title, message: <Written written={written} />, autoClose: 10_000 });
        },
        onError: showFailure,
      },
    );
  return { run, isPending };
}

function Written({ written: { folder, media, problems } }: { written: TemplateExport }) {
  const { t } = useTranslation("templates");
  return (
    <div className={classes.export}>
      <p>
        <FilePath path={folder} />
      </p>
      {media > 0 && <p>{t("export.media", { count: media })}</p>}
      {problems.length > 0 && (
        <>
          <p>{t("export.problems", { count: problems.length })}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: many problems scroll, and must do so by keyboard */}
          <ul tabIndex={0} aria-label={t("export.problems", { count: problems.length })}>
            {problems.map(({ name, language, reason }) => (
              <li key={`${name} ${language} ${reason}`}>
                <b>{name}</b> {language}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
