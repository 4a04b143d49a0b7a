import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import type { RecipientImport } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { showUndo } from "@/components/undo-toast";
import { useCommand } from "@/lib/ipc/mutations";
import { ImportForm } from "./import-form";
import { UnknownColumns } from "./unknown-columns";

/** Imports people from a file: the person chooses it, sees what would happen, and can take it back afterwards. */
export function useImport(workspace: string, labels: string[]) {
  const { t } = useTranslation("batches");
  const choose = useCommand("import_recipients");
  const undo = useCommand("undo_recipient_import");

  const takeBack = (id: string) =>
    undo.mutate(
      { workspace, id },
      {
        onError: showFailure,
        onSuccess: ({ kept }) =>
          notifications.show({
            title: t("import.undone"),
            message: kept > 0 ? t("import.kept", { count: kept }) : t("import.undoneText"),
          }),
      },
    );
  const onStored = ({ added, changed }: RecipientImport, id: string) => {
    modals.closeAll();
    showUndo({
      message: [
        added > 0 && t("import.doneAdded", { count: added }),
        changed > 0 && t("import.doneChanged", { count: changed }),
      ]
        .filter(Boolean)
        .join(" · "),
      undo: () => takeBack(id),
    });
  };
  const ask = (read: RecipientImport) => {
    const { id, name, unknownColumns } = read;
    modals.open({
      title: unknownColumns ? t("import.notRead", { name, nest: false }) : t("import.title", { name, nest: false }),
      size: "lg",
      closeOnClickOutside: false,
      children: id ? (
        <ImportForm
          workspace={workspace}
          id={id}
          labels={labels}
          onStored={(stored) => onStored(stored, id)}
          onClose={modals.closeAll}
        />
      ) : (
        <UnknownColumns columns={unknownColumns ?? []} onClose={modals.closeAll} />
      ),
    });
  };
  return {
    isChoosing: choose.isPending,
    start: () => choose.mutate({ workspace }, { onError: showFailure, onSuccess: (read) => read && ask(read) }),
  };
}
