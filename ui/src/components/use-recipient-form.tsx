import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";
import type { LabelCount, Recipient } from "@/bindings/app";
import { nameOf, RecipientForm, type Suggested } from "./recipient-form";

interface Opened {
  /** Absent: a new one. */
  recipient?: Recipient | undefined;
  suggested?: Suggested;
  /** Labels in use. */
  labels: readonly LabelCount[];
}

/** Opens a person of the address book, or the form of a new one, over the screen. */
export function useRecipientForm(workspace: string): (opened: Opened) => void {
  const { t } = useTranslation("batches");
  return ({ recipient, suggested, labels }) =>
    modals.open({
      title: recipient ? nameOf(recipient) : t("recipient.add"),
      closeOnClickOutside: false,
      children: (
        <RecipientForm
          workspace={workspace}
          recipient={recipient}
          suggested={suggested}
          labels={labels.map((one) => one.label)}
        />
      ),
    });
}
