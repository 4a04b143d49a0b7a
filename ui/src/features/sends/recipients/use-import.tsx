import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";
import type { RecipientImport } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { useCommand } from "@/lib/ipc/mutations";
import { ImportForm } from "./import-form";
import { ImportResult } from "./import-result";
import { UnknownColumns } from "./unknown-columns";

/** Imports people from a file: the person chooses it, sees what would happen, and can take it back afterwards. */
export function useImport(workspace: string, labels: string[]) {
  const { t } = useTranslation("batches");
  const choose = useCommand("import_recipients");

  const showResult = (id: string, stored: RecipientImport) => {
    const modalId = `imported ${id}`;
    modals.open({
      modalId,
      title: t("import.done", { name: stored.name, nest: false }),
      closeOnClickOutside: false,
      children: <ImportResult workspace={workspace} id={id} stored={stored} onClose={() => modals.close(modalId)} />,
    });
  };
  const ask = (id: string, name: string) => {
    const modalId = `import ${id}`;
    const close = () => modals.close(modalId);
    modals.open({
      modalId,
      title: t("import.title", { name, nest: false }),
      size: "lg",
      closeOnClickOutside: false,
      children: (
        <ImportForm
          workspace={workspace}
          id={id}
          labels={labels}
          onRunning={(isRunning) =>
            modals.updateModal({
              modalId,
              closeOnEscape: !isRunning,
              closeButtonProps: { "aria-label": t("close", { ns: "common" }), disabled: isRunning },
            })
          }
          onStored={(stored) => {
            close();
            showResult(id, stored);
          }}
          onClose={close}
        />
      ),
    });
  };
  const explain = (name: string, columns: readonly string[]) =>
    modals.open({
      title: t("import.notRead", { name, nest: false }),
      size: "lg",
      closeOnClickOutside: false,
      children: <UnknownColumns columns={columns} onClose={modals.closeAll} />,
    });
  const onRead = ({ id, name, unknownColumns }: RecipientImport) =>
    id ? ask(id, name) : explain(name, unknownColumns ?? []);
  return {
    isChoosing: choose.isPending,
    start: () => choose.mutate({ workspace }, { onError: showFailure, onSuccess: (read) => read && onRead(read) }),
  };
}
