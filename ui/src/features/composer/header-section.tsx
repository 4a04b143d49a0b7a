import { Button, Select, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconFile, IconPhoto, IconUpload, IconVideo, IconX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Attachment } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { call, onFileDrop } from "@/lib/ipc/client";
import classes from "./composer.module.css";
import { NotesAt, useField } from "./field";
import { formatOfFile, nextVariable, setHeaderFormat, setText } from "./parts";
import { useComponent, useFile, useParts } from "./parts-context";
import { Samples } from "./samples";
import { Section } from "./section";
import { useComposer } from "./store";

const FORMATS = ["TEXT", "IMAGE", "VIDEO", "DOCUMENT", "LOCATION"] as const;
const NONE = "none";
const MEDIA = new Set<string>(["IMAGE", "VIDEO", "DOCUMENT", "GIF"]);

export function HeaderSection() {
  const { t } = useTranslation("composer");
  const { change, changeWithFile } = useParts();
  const { component: header, path } = useComponent("HEADER");
  const field = useField(`${path}/format`, { empty: !header, also: [path] });
  const format = header?.format ?? NONE;

  const choose = (next: string | null) => {
    const chosen = next === null || next === NONE ? null : next;
    // A file of another kind would only be refused.
    if (chosen === format) change((before) => setHeaderFormat(before, chosen));
    else changeWithFile((before) => setHeaderFormat(before, chosen), null);
  };

  const known = [NONE, ...FORMATS] as string[];
  const options = known.includes(format) ? known : [...known, format];
  return (
    <Section title={t("header")}>
      <Select
        {...field}
        label={t("headerFormat")}
        allowDeselect={false}
        data={options.map((value) => ({
          value,
          label: known.includes(value) ? t(`format.${value as "TEXT"}`) : value,
        }))}
        value={format}
        onChange={choose}
      />
      {header?.format === "TEXT" && <HeaderText />}
      {header && MEDIA.has(header.format) && <HeaderFile format={header.format} />}
      {header?.format === "LOCATION" && <p className={classes.quiet}>{t("locationHint")}</p>}
      <FileDrops />
    </Section>
  );
}

function HeaderText() {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  const spare = useComposer((state) => state.spare);
  const named = useComposer((state) => state.draft.template.parameter_format);
  const { component, path } = useComponent("HEADER");
  const text = component?.text ?? "";
  const field = useField(`${path}/text`, { empty: text === "" });
  const set = (value: string) => change((before) => setText(before, "HEADER", value, spare), "header");
  return (
    <>
      <TextInput
        {...field}
        label={t("headerText")}
        value={text}
        dir="auto"
        onChange={(event) => set(event.currentTarget.value)}
        rightSectionWidth="auto"
        rightSection={
          <Button size="compact-xs" variant="subtle" mr={4} onClick={() => set(text + nextVariable(named, text))}>
            {t("addVariable")}
          </Button>
        }
      />
      <Samples kind="HEADER" text={text} />
    </>
  );
}

function HeaderFile({ format }: { format: string }) {
  const { t } = useTranslation("composer");
  const { setFile } = useParts();
  const { path: header } = useComponent("HEADER");
  const path = `${header}/example/header_handle`;
  const file = useFile();
  const shows = useComposer((state) => state.attempted || state.touched.has(path));
  const touch = useComposer((state) => state.touch);
  const pick = useMutation({
    mutationFn: () => call("pick_file", { format }),
    onSuccess: (picked) => {
      // Closing the dialog without a choice changes nothing.
      if (picked) setFile(picked);
      touch(path);
    },
  });
  return (
    <div>
      <div className={classes.file} role="group" aria-label={t("headerFile")}>
        <FilePicture format={format} file={file} />
        <div className={classes.fileWords}>
          {file ? (
            <>
              <strong>{file.name}</strong>
              <span>
                {size(file.size)}
                {file.mime !== "" && ` · ${file.mime}`}
              </span>
            </>
          ) : (
            <>
              <strong>{t("noFile")}</strong>
              <span>{t("dropHint")}</span>
            </>
          )}
        </div>
        <Button
          variant="default"
          leftSection={<IconUpload size={15} />}
          loading={pick.isPending}
          onClick={() => pick.mutate()}
          data-path={path}
        >
          {t(file ? "otherFile" : "chooseFile")}
        </Button>
        {file && (
          <Button variant="subtle" color="gray" leftSection={<IconX size={15} />} onClick={() => setFile(null)}>
            {t("removeFile")}
          </Button>
        )}
      </div>
      {(file || shows) && <NotesAt places={[path, `${path}/`]} />}
      {pick.isError && <ErrorNotice error={pick.error} />}
    </div>
  );
}

function FilePicture({ format, file }: { format: string; file: Attachment | null | undefined }) {
  const Icon = format === "IMAGE" ? IconPhoto : format === "DOCUMENT" ? IconFile : IconVideo;
  return (
    <span className={classes.filePicture} aria-hidden>
      {file?.thumbnail ? <img src={file.thumbnail} alt="" /> : <Icon size={22} stroke={1.5} />}
    </span>
  );
}

/** A file dropped anywhere on the window becomes the header's file, and the header takes its kind. */
function FileDrops() {
  const { t } = useTranslation("composer");
  const { changeWithFile, setFile } = useParts();
  const { component: header } = useComponent("HEADER");
  const [over, setOver] = useState(false);

  const take = useEffectEvent(async (paths: string[]) => {
    const [first] = paths;
    if (first === undefined) return;
    try {
      const file = await call("inspect_file", { path: first });
      const format = formatOfFile(file.mime);
      if (header?.format === format) setFile(file);
      else changeWithFile((before) => setHeaderFormat(before, format), file);
    } catch (error) {
      notifications.show({ autoClose: false, withBorder: true, message: <ErrorNotice error={error} /> });
    }
  });

  useEffect(
    () =>
      onFileDrop((drop) => {
        setOver(drop.state === "over");
        if (drop.state === "dropped") void take(drop.paths);
      }),
    [],
  );

  return over ? (
    <div className={classes.drop} role="status">
      {t("dropNow")}
    </div>
  ) : null;
}

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
