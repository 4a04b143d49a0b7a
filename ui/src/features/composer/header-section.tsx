import { Button, Loader, Menu, Select, TextInput } from "@mantine/core";
import { IconChevronDown, IconFile, IconPhoto, IconUpload, IconVideo, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Attachment } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { fileFacts } from "@/lib/file-facts";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./composer.module.css";
import { NotesAt, useField } from "./field";
import { insert } from "./insertion";
import { MEDIA, nextVariable, setHeaderFormat, setText } from "./parts";
import { useComponent, useFile, useParts, useSubmittedFile } from "./parts-context";
import { composerQueries } from "./queries";
import { Samples } from "./samples";
import { Section } from "./section";
import { useComposer, useComposerActions, useEdits } from "./store";

const FORMATS = ["TEXT", "IMAGE", "VIDEO", "DOCUMENT", "LOCATION"] as const;
const NONE = "none";

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
      {header?.format === "LOCATION" && <p className={styles.small}>{t("locationHint")}</p>}
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
  const input = useRef<HTMLInputElement>(null);
  const set = useCallback(
    (value: string) => change((before) => setText(before, "HEADER", value, spare), "header"),
    [change, spare],
  );
  const write = useCallback((words: string) => input.current && insert(input.current, words, set), [set]);
  return (
    <>
      <TextInput
        {...field}
        ref={input}
        label={t("headerText")}
        value={text}
        onChange={(event) => set(event.currentTarget.value)}
        rightSectionWidth="auto"
        rightSection={
          <Button
            size="compact-xs"
            variant="subtle"
            mr={4}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => write(nextVariable(named, text))}
          >
            {t("addVariable")}
          </Button>
        }
      />
      <Samples kind="HEADER" onInsert={write} />
    </>
  );
}

export function HeaderFile({ format }: { format: string }) {
  const { t, i18n } = useTranslation("composer");
  const { setFile } = useParts();
  const { component, path: header } = useComponent("HEADER");
  const path = `${header}/example/header_handle`;
  const file = useFile();
  // Of the template that is edited.
  const sample = component?.example?.header_handle?.[0];
  const isPresent = useEdits() && Boolean(sample);
  const submitted = useSubmittedFile(sample);
  const shows = useComposer((state) => state.attempted || state.touched.has(path));
  const { touch } = useComposerActions();
  const pick = useCommand("pick_file");
  const take = (picked: Attachment | null) => {
    // Closing the dialog without a choice changes nothing.
    if (picked) setFile(picked);
    touch(path);
  };
  return (
    <div>
      <div className={classes.file} role="group" aria-label={t("headerFile")}>
        <FilePicture format={format} file={file} />
        <div className={classes.fileWords}>
          {file ? (
            <>
              <strong>{file.name}</strong>
              <span>
                {fileFacts(file, i18n.language)}
                {file.mime !== "" && ` · ${file.mime}`}
              </span>
            </>
          ) : (
            <>
              <strong>{t(isPresent ? "presentFile" : "noFile")}</strong>
              <span>{t(submitted ? "submittedFileHint" : isPresent ? "presentFileHint" : "dropHint")}</span>
            </>
          )}
        </div>
        {!file && submitted && (
          <Button variant="light" maw="100%" onClick={() => take(submitted)}>
            {t("useAgain", { name: submitted.name, nest: false })}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconUpload size={15} />}
          loading={pick.isPending}
          onClick={() => pick.mutate({ format }, { onSuccess: take })}
          data-path={path}
        >
          {t(file ? "otherFile" : "chooseFile")}
        </Button>
        <RecentFiles format={format} onChoose={take} />
        {file && (
          <Button variant="subtle" color="gray" leftSection={<IconX size={15} />} onClick={() => setFile(null)}>
            {t("removeFile")}
          </Button>
        )}
      </div>
      {(file || shows) && <NotesAt paths={[path, `${path}/`]} />}
      {pick.isError && <ErrorNotice error={pick.error} />}
    </div>
  );
}

/** Files of this kind that were used before. */
function RecentFiles({ format, onChoose }: { format: string; onChoose: (file: Attachment) => void }) {
  const { t, i18n } = useTranslation("composer");
  const [opened, setOpened] = useState(false);
  const recent = useQuery({ ...composerQueries.recentFiles(format), enabled: opened });
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={14} />}>
          {t("fields.recentFiles")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {recent.isPending && (
          <Menu.Item disabled leftSection={<Loader size={14} />}>
            {t("loading", { ns: "common" })}
          </Menu.Item>
        )}
        {recent.isError && <ErrorNotice error={recent.error} onRetry={() => void recent.refetch()} />}
        {recent.data?.length === 0 && <Menu.Item disabled>{t("fields.noRecentFiles")}</Menu.Item>}
        {recent.data?.map((file) => (
          <Menu.Item
            key={file.path}
            leftSection={<FilePicture format={format} file={file} />}
            title={file.path}
            onClick={() => onChoose(file)}
          >
            <span className={classes.fileWords}>
              <strong>{file.name}</strong>
              <span>{fileFacts(file, i18n.language)}</span>
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
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
