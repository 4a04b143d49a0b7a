import { Alert, Button, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { useBootstrap } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./receiver.module.css";

/** Where the receiver listens, why it does not, and how to move it. */
export function ReceiverAddress() {
  const { t } = useTranslation("settings");
  const { receiver } = useBootstrap();
  const id = useId();
  const move = useCommand("set_receiver");
  const known = receiver.state === "starting" ? "" : receiver.address;
  const [typed, setTyped] = useState<string>();
  const address = typed ?? known;
  const refused = move.error?.error.code === "invalidInput" ? move.error.error.message : undefined;
  const take = (wanted: string) => move.mutate({ address: wanted }, { onSuccess: () => setTyped(undefined) });
  const suggestion = receiver.state === "failed" ? receiver.suggestion : undefined;
  return (
    <section className={classes.card} aria-labelledby={id}>
      <h2 id={id}>{t("receiver.title")}</h2>
      <p className={classes.state} role="status">
        <span className={classes.light} data-state={receiver.state} aria-hidden />
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
          <p className={classes.text}>
            {receiver.reason}. {t("receiver.failedText")}
          </p>
          {suggestion && (
            <Button mt="xs" loading={move.isPending} onClick={() => take(suggestion)}>
              {t("receiver.use", { address: suggestion })}
            </Button>
          )}
        </Alert>
      )}
      <form
        className={classes.move}
        onSubmit={(event) => {
          event.preventDefault();
          take(address);
        }}
      >
        <TextInput
          className={classes.grow}
          label={t("receiver.address")}
          description={t("receiver.addressHint")}
          placeholder="127.0.0.1:8787"
          spellCheck={false}
          value={address}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            if (refused) move.reset();
          }}
          error={refused}
        />
        <Button
          type="submit"
          variant="default"
          h={36}
          loading={move.isPending}
          disabled={address.trim() === "" || (address === known && receiver.state === "listening")}
        >
          {t("receiver.move")}
        </Button>
      </form>
      {move.error && !refused && <ErrorNotice error={move.error} />}
    </section>
  );
}
