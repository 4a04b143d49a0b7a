import { Button, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ForwardReport, WorkspaceSummary } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { useWorkspace } from "@/lib/desk";
import type { DeskFailure } from "@/lib/ipc/errors";
import { useCommand } from "@/lib/ipc/mutations";
import { settingsQueries } from "../queries";
import { isReversed, type Range, ScopeFields } from "./scope-fields";
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

interface ForwardFormProps {
  workspace: WorkspaceSummary;
  /** The only delivery it is about. */
  one?: number;
}

/** Forwards deliveries to a program on this computer: as they come in, or those that are stored. */
export function ForwardForm({ workspace, one }: ForwardFormProps) {
  const { t } = useTranslation("support");
  const state = useQuery(settingsQueries.forwarding());
  const [typed, setTyped] = useState<string>();
  const url = typed ?? state.data?.url ?? lastUrl;
  const [what, setWhat] = useState<"live" | "stored">(one === undefined ? "live" : "stored");
  const [everywhere, setEverywhere] = useState(false);
  const [range, setRange] = useState<Range>({ from: undefined, to: undefined });
  const live = useCommand("set_forwarding");
  const stored = useCommand("forward_stored");
  const { error, isPending } = what === "live" ? live : stored;
  const refused = urlError(error);

  const run = (event: FormEvent) => {
    event.preventDefault();
    lastUrl = url.trim();
    if (what === "live") {
      live.mutate({ url: lastUrl, workspace: everywhere ? null : workspace.id });
    } else if (one !== undefined) stored.mutate({ url: lastUrl, scope: { kind: "one", seq: one } });
    else if (!isReversed(range)) {
      const { from = 1, to = Number.MAX_SAFE_INTEGER } = range;
      stored.mutate({ url: lastUrl, scope: { kind: "range", from, to } });
    }
  };

  return (
    <form onSubmit={run} className={classes.form}>
      <p className={classes.text}>{t("forward.text")}</p>
      <TextInput
        label={t("forward.url")}
        description={t("forward.urlHint")}
        placeholder="http://localhost:3000/webhook"
        spellCheck={false}
        required
        data-autofocus={one !== undefined || undefined}
        value={url}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          live.reset();
          stored.reset();
        }}
        error={refused}
      />
      {one === undefined && (
        <SegmentedControl
          aria-label={t("forward.what")}
          value={what}
          onChange={(value) => setWhat(value === "stored" ? "stored" : "live")}
          data={[
            { value: "live", label: t("forward.live") },
            { value: "stored", label: t("forward.stored") },
          ]}
        />
      )}
      {what === "live" ? (
        <>
          <p className={classes.text}>{t("forward.liveText")}</p>
          <Switch
            label={t("forward.everywhere")}
            description={t("forward.everywhereText", { name: workspace.name })}
            checked={everywhere}
            onChange={(event) => setEverywhere(event.currentTarget.checked)}
          />
        </>
      ) : one === undefined ? (
        <>
          <p className={classes.text}>{t("forward.storedText")}</p>
          <ScopeFields range={range} onChange={setRange} />
        </>
      ) : null}
      {error && !refused && <ErrorNotice error={error} />}
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

/** Said at the field of the address. */
function urlError(failure: DeskFailure | null): string | undefined {
  return failure?.error.code === "invalidInput" && failure.error.field === "url" ? failure.error.message : undefined;
}

function Report({ report: { sent, failed, lastError } }: { report: ForwardReport }) {
  const { t } = useTranslation("support");
  return (
    <div className={classes.result} role="status">
      <p>
        <strong>{t("forward.sent", { count: sent })}</strong>
      </p>
      {failed > 0 && <p data-bad>{t("forward.failed", { count: failed })}</p>}
      {lastError && <p className={classes.text}>{t("forward.lastError", { reason: lastError })}</p>}
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
        {t("forward.running")} <code>{state.url}</code>
      </span>
      <span className={classes.text}>
        {t("forward.sent", { count: state.forwarded })}
        {state.failed > 0 && <> · {t("forward.failed", { count: state.failed })}</>}
      </span>
      {state.failed > 0 && state.lastError && (
        <span data-bad>{t("forward.lastError", { reason: state.lastError })}</span>
      )}
      <Button size="compact-xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate({ url: null })}>
        {t("forward.stop")}
      </Button>
    </div>
  );
}
