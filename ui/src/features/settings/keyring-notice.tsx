import { Alert, Button } from "@mantine/core";
import { IconKey, IconLockOpen, IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { KeyringState } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./settings.module.css";

/** What the keyring is like, why, and what to do about it: to unlock it, or to try again. */
export function KeyringNotice({ keyring }: { keyring: KeyringState }) {
  const { t } = useTranslation("settings");
  const refresh = useCommand("refresh_secrets");
  const { state } = keyring;
  const values = {
    reason: "reason" in keyring ? keyring.reason : "",
    seconds: "seconds" in keyring ? keyring.seconds : 0,
  };
  return (
    <div className={classes.rows}>
      <Alert
        color={state === "available" ? "brand" : "yellow"}
        variant="light"
        icon={<IconKey size={18} aria-hidden />}
        title={t(`keyring.state.${state}.what`, values)}
        role="status"
      >
        <div className={classes.rows}>
          <span>{t(`keyring.state.${state}.why`, values)}</span>
          {state !== "available" && (
            <>
              <span>{t(`keyring.state.${state}.todo`)}</span>
              <div className={classes.buttons}>
                {state === "locked" && (
                  <Button
                    size="compact-sm"
                    leftSection={<IconLockOpen size={14} aria-hidden />}
                    loading={refresh.isPending && refresh.variables.unlock}
                    onClick={() => refresh.mutate({ unlock: true })}
                  >
                    {t("keyring.unlock")}
                  </Button>
                )}
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconRefresh size={14} aria-hidden />}
                  loading={refresh.isPending && !refresh.variables.unlock}
                  onClick={() => refresh.mutate({ unlock: false })}
                >
                  {t("keyring.retry")}
                </Button>
                {refresh.isPending && <span className={styles.muted}>{t("keyring.waiting")}</span>}
              </div>
            </>
          )}
        </div>
      </Alert>
      {refresh.error && <ErrorNotice error={refresh.error} />}
    </div>
  );
}
