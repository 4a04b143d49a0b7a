import { Button } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import type { Recipient } from "@/bindings/app";
import { PhoneNumber } from "@/components/phone-number";
import { nameOf } from "@/components/recipient-form";
import { showFailure } from "@/components/show-failure";
import styles from "@/components/styles.module.css";
import { explicitNumber } from "@/lib/explicit-number";
import { toFailure } from "@/lib/ipc/errors";
import { useCommand } from "@/lib/ipc/mutations";
import { focusHeading } from "../focus-heading";
import classes from "./recipients.module.css";

/** Time to take a deletion back, in milliseconds. */
const REGRET = 15_000;

/** Deletes recipients after naming them, and offers to take it back. */
export function useDelete(workspace: string, onDeleted: (ids: string[]) => void) {
  const { t } = useTranslation("batches");
  const remove = useCommand("delete_recipients");
  const save = useCommand("save_recipient");

  const restore = async (recipients: readonly Recipient[]) => {
    let restored = 0;
    try {
      for (const { id, name, number, labels, note } of recipients) {
        await save.mutateAsync({ id, workspace, name, number: explicitNumber(number), labels, note });
        restored += 1;
      }
      notifications.show({ message: t("delete.undone", { count: restored }) });
    } catch (reason) {
      showFailure(toFailure(reason));
    }
  };

  const run = (recipients: readonly Recipient[]) => {
    const ids = recipients.map(({ id }) => id);
    remove.mutate(
      { workspace, ids },
      {
        onError: showFailure,
        onSuccess: () => {
          onDeleted(ids);
          const id = notifications.show({
            autoClose: REGRET,
            title: t("delete.done", { count: recipients.length }),
            message: (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => {
                  notifications.hide(id);
                  void restore(recipients);
                }}
              >
                {t("delete.undo")}
              </Button>
            ),
          });
        },
      },
    );
  };

  return (recipients: readonly Recipient[]) => {
    const opener = document.activeElement;
    let confirmed = false;
    modals.openConfirmModal({
      // What was clicked to delete them goes with them, so that it cannot take the focus back.
      returnFocus: false,
      onExitTransitionEnd: () => {
        if (!confirmed && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
        else focusHeading();
      },
      title: t("delete.title", { count: recipients.length }),
      children: (
        <div className={classes.form}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: many names scroll, and must do so by keyboard */}
          <ul className={classes.names} tabIndex={0} aria-label={t("delete.names")}>
            {recipients.map((recipient) => (
              <li key={recipient.id}>
                <bdi>{nameOf(recipient)}</bdi>{" "}
                {recipient.name !== "" && <PhoneNumber>{recipient.formatted || recipient.number}</PhoneNumber>}
              </li>
            ))}
          </ul>
          <p className={styles.small}>{t("delete.text")}</p>
        </div>
      ),
      labels: { confirm: t("delete.confirm", { count: recipients.length }), cancel: t("cancel", { ns: "common" }) },
      confirmProps: { color: "red" },
      onConfirm: () => {
        confirmed = true;
        run(recipients);
      },
    });
  };
}
