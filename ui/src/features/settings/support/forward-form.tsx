import { Button, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ForwardReport, WorkspaceSummary } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { settingsQueries } from "../queries";
import { isInvalid, type Range, ScopeFields } from "./scope-fields";
import classes from "./support.module.css";

// Typed once, offered again while the window is open; like the setting itself it is not remembered longer.
let lastUrl = "";

/** Asks where a stored delivery shall be forwarded to. */
export function useForwardStored(): (seq: number) => void {
  const { t } = useTranslation("support");
  const workspace = useWorkspace();
  return (seq) =>
    modals.open({
      title: t("forward.oneTitle", { seq }),
      children: <ForwardForm workspace={workspace} one={seq} />,
    });
}

interface ForwardValues extends Range {
  url: string;
  /** New deliveries as they arrive, or stored ones. */
  what: "live" | "stored";
  /** Whether the deliveries of all workspaces are forwarded. */
  everywhere: boolean;
}

interface ForwardFormProps {
  workspace: WorkspaceSummary;
  /** The only delivery it is about. */
  one?: number;
}

/** Forwards deliveries to a program on this computer: as they come in, or those that are stored. */
export function ForwardForm({ workspace, one }: ForwardFormProps) {
  const { t } = useTranslation("support");
  const state = useQuery(settingsQueries.forwarding());
  const live = useCommand("set_forwarding");
  const stored = useCommand("forward_stored");
  const form = useForm<ForwardValues>({
    initial: {
      url: state.data?.url ?? lastUrl,
      what: one === undefined ? "live" : "stored",
      everywhere: false,
      from: undefined,
      to: undefined,
    },
    errors: [live.error?.error, stored.error?.error],
    fields: ["url"],
    onChange: () => {
      live.reset();
      stored.reset();
    },
  });
  const { url, what, everywhere, ...range } = form.values;
  const { error, isPending } = what === "live" ? live : stored;

  const run = (event: FormEvent) => {
    event.preventDefault();
    lastUrl = url.trim();
    if (what === "live") {
      live.mutate({ url: lastUrl, workspace: everywhere ? null : workspace.id });
    } else if (one !== undefined) stored.mutate({ url: lastUrl, scope: { kind: "one", seq: one } });
    else if (!isInvalid(range)) {
      const { from = 1, to = Number.MAX_SAFE_INTEGER } = range;
      stored.mutate({ url: lastUrl, scope: { kind: "range", from, to } });
    }
  };

  return (
    <form ref={form.attach} onSubmit={run} className={classes.form}>
      <p className={styles.muted}>{t("forward.text")}</p>
      <TextInput
        label={t("forward.url")}
        description={t("forward.urlHint")}
        placeholder="http://localhost:3000/webhook"
        spellCheck={false}
        required
        data-autofocus={one !== undefined || undefined}
        value={url}
        data-field="url"
        onChange={(event) => form.change({ url: event.currentTarget.value })}
        error={form.errorOf("url")}
      />
      {one === undefined && (
        <SegmentedControl
          aria-label={t("forward.what")}
          value={what}
          onChange={(value) => form.change({ what: value === "stored" ? "stored" : "live" })}
          data={[
            { value: "live", label: t("forward.live") },
            { value: "stored", label: t("forward.stored") },
          ]}
        />
      )}
      {what === "live" ? (
        <>
          <p className={styles.muted}>{t("forward.liveText")}</p>
          <Switch
            label={t("forward.everywhere")}
            description={t("forward.everywhereText", { name: workspace.name })}
            checked={everywhere}
            onChange={(event) => form.change({ everywhere: event.currentTarget.checked })}
          />
        </>
      ) : one === undefined ? (
        <>
          <p className={styles.muted}>{t("forward.storedText")}</p>
          <ScopeFields range={range} onChange={form.change} />
        </>
      ) : null}
      {form.needsNotice(error?.error) && <ErrorNotice error={error} />}
      {what === "stored" && stored.data && <Report report={stored.data} />}
      <div className={classes.formActions}>
        {one !== undefined && (
          <Button variant="default" onClick={() => modals.closeAll()}>
            {t("close", { ns: "common" })}
          </Button>
        )}
        <Button type="submit" loading={isPending} disabled={url.trim() === ""}>
          {t(what === "live" ? "forward.start" : "forward.send")}
        </Button>
      </div>
    </form>
  );
}

function Report({ report: { sent, failed, lastError } }: { report: ForwardReport }) {
  const { t } = useTranslation("support");
  return (
    <div className={classes.result} role="status">
      <p>
        <strong>{t("forward.sent", { count: sent })}</strong>
      </p>
      {failed > 0 && <p data-bad>{t("forward.failed", { count: failed })}</p>}
      {lastError && <p className={styles.muted}>{t("forward.lastError", { reason: lastError })}</p>}
    </div>
  );
}

/** That deliveries leave for another program now, and how that goes. */
export function ForwardingBar() {
  const { t } = useTranslation("support");
  const { data: state } = useQuery(settingsQueries.forwarding());
  const stop = useCommand("set_forwarding");
  if (state?.url == null) return null;
  return (
    <div className={classes.forwarding}>
      <span>
        {t(state.ended ? "forward.ended" : "forward.running")} <code>{state.url}</code>
      </span>
      <span className={styles.small}>
        {t("forward.sent", { count: state.forwarded })}
        {state.failed > 0 && <> · {t("forward.failed", { count: state.failed })}</>}
      </span>
      {(state.failed > 0 || state.ended) && state.lastError && (
        <span data-bad>{t("forward.lastError", { reason: state.lastError })}</span>
      )}
      <Button size="compact-xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate({ url: null })}>
        {state.ended ? t("close", { ns: "common" }) : t("forward.stop")}
      </Button>
    </div>
  );
}
