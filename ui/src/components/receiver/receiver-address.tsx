import { Alert, Button, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { StatusLight } from "@/components/status-light";
import styles from "@/components/styles.module.css";
import { useBootstrap } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import classes from "./receiver.module.css";

const LEVEL = { starting: "unknown", listening: "good", failed: "bad" } as const;

/** Where the receiver listens, why it does not, and how to move it. */
export function ReceiverAddress() {
  const { t } = useTranslation("settings");
  const { receiver } = useBootstrap();
  const move = useCommand("set_receiver");
  const form = useForm({
    initial: { address: receiver.state === "starting" ? "" : receiver.address },
    errors: [move.error?.error],
    fieldOf: () => "address",
    onChange: move.reset,
  });
  const { address } = form.values;
  const failedMove = receiver.state === "listening" ? receiver.failedMove : undefined;
  const moveTo = (next: string) =>
    move.mutate(
      { address: next },
      {
        onSuccess: (state) => {
          // What was typed stays, to be corrected.
          if (state.state !== "listening" || state.failedMove == null) form.reset();
        },
      },
    );
  const suggestion = receiver.state === "failed" ? receiver.suggestion : failedMove?.suggestion;
  const suggestionButton = suggestion && (
    <Button mt="xs" loading={move.isPending} onClick={() => moveTo(suggestion)}>
      {t("receiver.use", { address: suggestion })}
    </Button>
  );
  return (
    <Card title={t("receiver.title")}>
      <p className={classes.state} role="status">
        <StatusLight level={LEVEL[receiver.state]} />
        {receiver.state === "listening"
          ? t("receiver.listening", { address: receiver.address })
          : t(`receiver.${receiver.state}`)}
      </p>
      {receiver.state === "failed" && (
        <Alert
          color="red"
          variant="light"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={t("receiver.failedTitle", { address: receiver.address })}
        >
          <p className={styles.muted}>
            {receiver.reason}. {t("receiver.failedText")}
          </p>
          {suggestionButton}
        </Alert>
      )}
      {receiver.state === "listening" && failedMove && (
        <Alert
          color="yellow"
          variant="light"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={t("receiver.moveFailedTitle", { address: failedMove.address })}
        >
          <p className={styles.muted}>
            {t("receiver.moveFailedText", { reason: failedMove.reason, own: receiver.address })}
          </p>
          {suggestionButton}
        </Alert>
      )}
      <form
        ref={form.attach}
        className={classes.move}
        onSubmit={(event) => {
          event.preventDefault();
          moveTo(address);
        }}
      >
        <TextInput
          className={classes.grow}
          label={t("receiver.address")}
          description={t("receiver.addressHint")}
          placeholder="127.0.0.1:8787"
          spellCheck={false}
          value={address}
          data-field="address"
          onChange={(event) => form.change({ address: event.currentTarget.value })}
          error={form.errorOf("address")}
        />
        <Button
          type="submit"
          variant="default"
          h={36}
          loading={move.isPending}
          disabled={address.trim() === "" || (!form.isDirty && receiver.state === "listening" && !failedMove)}
        >
          {t("receiver.move")}
        </Button>
      </form>
      {form.needsNotice(move.error?.error) && <ErrorNotice error={move.error} />}
    </Card>
  );
}
