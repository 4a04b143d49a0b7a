import { Button, Group, Loader } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { IconAlertTriangle, IconDownload, IconFile, IconLock, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MediaFile, MessageMedia } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { MessageKindIcon } from "@/components/message-kind";
import styles from "@/components/styles.module.css";
import { bytesOf } from "@/lib/base64";
import { byteSize } from "@/lib/bytes";
import type { DeskFailure } from "@/lib/ipc/errors";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./message.module.css";
import { inboxQueries } from "./queries";

interface MediaProps {
  workspace: string;
  event: string | null | undefined;
  media: MessageMedia;
  /** What kind of file it is, in words. */
  word: string;
}

const PICTURES = new Set(["image", "sticker"]);
const PLAYED = new Set(["audio", "video"]);

/**
 * The file of a message. Pictures come by themselves once they are in sight, as far as that needs no token; everything
 * else when it is asked for.
 */
export function Media({ workspace, event, media, word }: MediaProps) {
  const { t } = useTranslation("inbox");
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [requested, setRequested] = useState(false);
  const isPicture = PICTURES.has(media.kind);
  const canHave = media.source !== "none" && Boolean(event);
  const query = { ...inboxQueries.media(workspace, event ?? ""), enabled: canHave && requested };
  const { data: file, error: failure, isFetching: isLooking } = useQuery(query);
  const client = useQueryClient();
  const load = useCommand("get_media");
  const ask = (confirmedHost?: string) =>
    load.mutate(
      { workspace, event: event ?? "", withToken: true, confirmedHost: confirmedHost ?? null },
      { onSuccess: (found) => client.setQueryData(query.queryKey, found) },
    );
  const unconfirmed = unconfirmedHost(load.error);
  const error = load.error ?? failure;
  const isFetching = isLooking || load.isPending;
  useEffect(() => {
    if (isPicture && inViewport) setRequested(true);
  }, [isPicture, inViewport]);
  const name = media.fileName || file?.fileName || word;

  return (
    <div ref={ref} className={classes.media}>
      {file?.dataUrl && file.state === "ok" ? (
        <Shown kind={media.kind} url={file.dataUrl} name={name} />
      ) : (
        <div className={classes.file}>
          {isFetching ? (
            <Loader size={18} role="img" aria-label={t("media.loading")} />
          ) : (
            <FileIcon kind={media.kind} />
          )}
          <span dir="auto">{name}</span>
          {canHave && PLAYED.has(media.kind) && file === undefined && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconPlayerPlay size={13} aria-hidden />}
              loading={isFetching}
              aria-label={t("media.playNamed", { name })}
              onClick={() => ask()}
            >
              {t("media.play")}
            </Button>
          )}
        </div>
      )}
      {unconfirmed !== undefined ? (
        <ConfirmHost host={unconfirmed} busy={isFetching} onConfirm={() => ask(unconfirmed)} onCancel={load.reset} />
      ) : (
        error && <ErrorNotice error={error} onRetry={() => ask()} />
      )}
      {file && unconfirmed === undefined && (
        <Outcome file={file} kind={media.kind} busy={isFetching} onLoad={() => ask()} />
      )}
      {canHave && event ? (
        <Saving workspace={workspace} event={event} name={name} media={media} file={file} />
      ) : (
        <p className={classes.quiet}>{t(media.source === "none" ? "media.noAddress" : "media.noEvent")}</p>
      )}
    </div>
  );
}

function FileIcon({ kind }: { kind: string }) {
  return PICTURES.has(kind) || PLAYED.has(kind) ? (
    <MessageKindIcon kind={kind} size={20} />
  ) : (
    <IconFile size={20} aria-hidden />
  );
}

/** Why a file cannot be had or shown, and what to do. */
function Outcome({ file, kind, busy, onLoad }: { file: MediaFile; kind: string; busy: boolean; onLoad: () => void }) {
  const { t, i18n } = useTranslation("inbox");
  const { state, detail, bytes, dataUrl } = file;
  if (state === "ok") {
    const isShown = PICTURES.has(kind) || PLAYED.has(kind);
    return isShown && !dataUrl ? (
      <p className={classes.quiet}>{t("media.tooLarge", { size: byteSize(bytes, i18n.language) })}</p>
    ) : null;
  }
  const needsToken = state === "needsToken";
  const Icon = needsToken ? IconLock : IconAlertTriangle;
  return (
    <div className={classes.outcome} role="note" data-plain={needsToken || undefined}>
      <p>
        <Icon size={15} stroke={1.8} aria-hidden />
        <strong>{t(`media.state.${state}.title`)}</strong>
      </p>
      <p>{t(`media.state.${state}.todo`, { host: file.tokenHost ?? "" })}</p>
      {detail && (
        <details className={styles.unfold}>
          <summary>{t("details", { ns: "errors" })}</summary>
          <p>{detail}</p>
        </details>
      )}
      <Button size="compact-xs" variant="default" loading={busy} onClick={onLoad}>
        {needsToken ? t("media.load") : t("retry", { ns: "common" })}
      </Button>
    </div>
  );
}

/** The host that has to be confirmed before it receives the token, where that is what a file failed for. */
function unconfirmedHost(failure: DeskFailure | null): string | undefined {
  return failure?.error.code === "mediaHostUnconfirmed" ? failure.error.host : undefined;
}

interface ConfirmHostProps {
  host: string;
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks once for each host whether it may have the token: with it, messages can be sent in the business's name. */
function ConfirmHost({ host, ...asked }: ConfirmHostProps) {
  const { t } = useTranslation("inbox");
  return (
    <Confirm
      {...asked}
      title={t("media.confirm.title")}
      text={t("media.confirm.text")}
      action={t("media.confirm.send")}
    >
      <p>
        <code dir="ltr">{host}</code>
      </p>
    </Confirm>
  );
}

interface ConfirmProps extends Omit<ConfirmHostProps, "host"> {
  title: string;
  text: string;
  action: string;
  children?: ReactNode;
}

/** Asks before something that can do harm. */
function Confirm({ title, text, action, children, busy, onConfirm, onCancel }: ConfirmProps) {
  const { t } = useTranslation("inbox");
  return (
    <div className={classes.outcome} role="alert">
      <p>
        <IconAlertTriangle size={15} stroke={1.8} aria-hidden />
        <strong>{title}</strong>
      </p>
      {children}
      <p>{text}</p>
      <Group gap="0.375rem">
        <Button size="compact-xs" variant="default" onClick={onCancel}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button size="compact-xs" color="red" variant="light" loading={busy} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </div>
  );
}

function Shown({ kind, url, name }: { kind: string; url: string; name: string }) {
  if (!PLAYED.has(kind)) {
    return url.startsWith("data:image/") ? (
      <img className={classes.picture} data-sticker={kind === "sticker" || undefined} src={url} alt={name} />
    ) : null;
  }
  return <Player kind={kind} url={url} name={name} />;
}

/** A sound or a film. The page may play what it holds itself, so the file is handed over as an object of the page. */
function Player({ kind, url, name }: { kind: string; url: string; name: string }) {
  const { t } = useTranslation("inbox");
  const [failed, setFailed] = useState(false);
  const source = useObjectUrl(url);
  if (failed) return <p className={classes.quiet}>{t("media.cannotPlay")}</p>;
  if (source === undefined) return null;
  const common = { src: source, controls: true, "aria-label": name, onError: () => setFailed(true) };
  return kind === "video" ? (
    <video className={classes.film} {...common} />
  ) : (
    <audio className={classes.sound} {...common} />
  );
}

/** An address of the page for what a `data:` address holds. */
function useObjectUrl(dataUrl: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const comma = dataUrl.indexOf(",");
    const type = dataUrl.slice("data:".length, comma).replace(/;base64$/, "");
    const made = URL.createObjectURL(new Blob([bytesOf(dataUrl.slice(comma + 1)) as BlobPart], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [dataUrl]);
  return address;
}

interface SavingProps {
  workspace: string;
  event: string;
  name: string;
  media: MessageMedia;
  file: MediaFile | undefined;
}

/** Saves the file where the person says, and tells whether it is the one that was announced. */
function Saving({ workspace, event, name, media, file }: SavingProps) {
  const { t, i18n } = useTranslation("inbox");
  const save = useCommand("save_media");
  // What was saved is here now: asking for it tells the verdict without fetching it again.
  const saved = useQuery({ ...inboxQueries.media(workspace, event), enabled: save.data != null });
  const known = file ?? saved.data;
  const [isAsking, setAsking] = useState(false);
  const store = (confirmedHost: string | null) => {
    setAsking(false);
    save.mutate({ workspace, event, withToken: true, confirmedHost });
  };
  const unconfirmed = unconfirmedHost(save.error);
  return (
    <>
      <Group justify="space-between" gap="0.25rem 0.75rem">
        <span className={classes.quiet}>
          {[media.mime || known?.mime, known?.state === "ok" ? byteSize(known.bytes, i18n.language) : undefined]
            .filter(Boolean)
            .join(" · ")}
        </span>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconDownload size={13} aria-hidden />}
          loading={save.isPending}
          aria-label={t("media.saveNamed", { name })}
          onClick={() => (media.canRun ? setAsking(true) : store(null))}
        >
          {t("media.save")}
        </Button>
      </Group>
      {/* Between people who talk, only a file that differs is worth a word; who saves it may want to know more. */}
      {known?.state === "ok" && known.sha256 === "differs" && (
        <p className={classes.verdict}>
          <IconAlertTriangle size={14} stroke={1.8} aria-hidden />
          {t("media.sha256.differs")}
        </p>
      )}
      {isAsking && (
        <Confirm
          title={t("media.canRun.title")}
          text={t("media.canRun.text")}
          action={t("media.canRun.save")}
          busy={save.isPending}
          onConfirm={() => store(null)}
          onCancel={() => setAsking(false)}
        />
      )}
      {save.data && !isAsking && (
        <div className={classes.saved} role="status">
          {t(known?.sha256 === "matches" ? "media.savedWhole" : "media.saved")}
          <details className={styles.unfold}>
            <summary>{t("media.details")}</summary>
            {t("media.path")} <code>{save.data.path}</code>
            <br />
            SHA-256 <code>{save.data.sha256}</code>
            {known?.state === "ok" && known.sha256 !== "differs" && (
              <>
                <br />
                {t(`media.sha256.${known.sha256}`)}
              </>
            )}
          </details>
        </div>
      )}
      {unconfirmed !== undefined ? (
        <ConfirmHost
          host={unconfirmed}
          busy={save.isPending}
          onConfirm={() => store(unconfirmed)}
          onCancel={save.reset}
        />
      ) : (
        save.error && save.error.code !== "cancelled" && <ErrorNotice error={save.error} />
      )}
    </>
  );
}
