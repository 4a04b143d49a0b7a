import { Button, Group, Stack } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { showFailure } from "@/components/show-failure";
import { settingsQueries } from "@/features/settings/queries";
import { useDeskEvent } from "@/lib/ipc/events";
import { useCommand } from "@/lib/ipc/mutations";

const MODAL = "close question";

/** Asks whether the app closes although something is running, which would end with it. */
export function CloseQuestion() {
  const { t } = useTranslation("shell");
  const { mutate: answer } = useCommand("answer_close");
  useDeskEvent((event) => {
    if (event.type !== "closeAsked") return;
    modals.open({
      modalId: MODAL,
      title: t("closing.title"),
      // Also by the key or a click beside it.
      onClose: () => answer({ close: false }),
      children: (
        <Stack gap="sm">
          <p>{t("closing.text")}</p>
          <KeepHint />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" data-autofocus onClick={() => modals.close(MODAL)}>
              {t("closing.stay")}
            </Button>
            <Button color="red" onClick={() => answer({ close: true }, { onError: showFailure })}>
              {t("closing.close")}
            </Button>
          </Group>
        </Stack>
      ),
    });
  });
  return null;
}

/** How what is running goes on with the window closed, where a closed window can be opened again. */
function KeepHint() {
  const { t } = useTranslation("shell");
  const presence = useQuery(settingsQueries.presence()).data;
  return presence?.tray || presence?.secondStart ? <p>{t("closing.keep")}</p> : null;
}
