import { Alert, Button, Group } from "@mantine/core";
import { IconBraces } from "@tabler/icons-react";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useFindingText } from "@/components/findings";
import type { JsonMarker } from "@/components/json-editor";
import { Loading } from "@/components/loading";
import styles from "@/components/styles.module.css";
import classes from "./edit.module.css";
import { jsonTextOf } from "./json-text";
import { useComposer, useComposerActions } from "./store";

const JsonEditor = lazy(() => import("@/components/json-editor"));

/** The creation as JSON, to be read and written. What cannot be read is kept, and the form stays as it was. */
export function JsonTab() {
  const { t } = useTranslation("composer");
  const { focusJson, writeJson } = useComposerActions();
  const text = useComposer(jsonTextOf);
  const focus = useComposer((state) => state.jsonFocus);
  const markers = useMarkers();

  // The same path can be opened again.
  useEffect(() => {
    if (focus !== undefined) focusJson(undefined);
  }, [focus, focusJson]);

  return (
    <div className={classes.jsonTab}>
      <p className={styles.small}>{t("jsonTab.hint")}</p>
      <JsonFault view="json" />
      <div className={styles.fill}>
        <Suspense fallback={<Loading />}>
          <JsonEditor
            value={text}
            onChange={writeJson}
            label={t("jsonTab.label")}
            markers={markers}
            minHeight="24rem"
            focusPath={focus}
          />
        </Suspense>
      </div>
    </div>
  );
}

/** Findings at their places; of a text that cannot be read, its fault alone. */
function useMarkers(): JsonMarker[] {
  const textOf = useFindingText();
  const fault = useComposer((state) => state.jsonFault);
  const unread = useComposer((state) => state.draft.jsonText != null);
  const refusals = useComposer((state) => state.refusals);
  const findings = useComposer((state) => state.inspection?.findings);
  if (fault) return [{ line: fault.line, column: fault.column, severity: "error", message: fault.message }];
  // Of a text that is being read, what was found is about the one before.
  if (unread) return [];
  return [...refusals, ...(findings ?? [])].map((finding) => ({
    path: finding.path,
    severity: finding.severity,
    message: textOf(finding),
  }));
}

/** Says that the text of the JSON view cannot be read, and why. */
export function JsonFault({ view }: { view: "form" | "json" }) {
  const { t } = useTranslation("composer");
  const { openTab, update } = useComposerActions();
  const fault = useComposer((state) => (state.draft.jsonText == null ? undefined : state.jsonFault));
  if (!fault) return null;
  return (
    <Alert
      role="status"
      color="yellow"
      variant="light"
      icon={<IconBraces size={20} stroke={1.7} aria-hidden />}
      title={t("jsonTab.unreadable", { line: fault.line, column: fault.column })}
      style={{ flex: "none" }}
    >
      <div>{fault.message}</div>
      <div>{t(view === "json" ? "jsonTab.formStays" : "jsonTab.formIsOlder")}</div>
      <Group gap="xs" mt="xs">
        {view === "form" && (
          <Button size="compact-sm" variant="default" onClick={() => openTab("json")}>
            {t("jsonTab.open")}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => update((draft) => ({ ...draft, jsonText: null }))}>
          {t("jsonTab.discard")}
        </Button>
      </Group>
    </Alert>
  );
}
