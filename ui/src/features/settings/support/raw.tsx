import { SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "@/components/copy-button";
import styles from "@/components/styles.module.css";
import { bytesOf, isExact } from "@/lib/base64";
import { byteSize } from "@/lib/bytes";
import { HEX_SHOWN, hexDump } from "./hex";
import classes from "./support.module.css";

/** Characters of a body that are laid out at once; the rest can be copied. */
const TEXT_SHOWN = 200_000;

interface RawProps {
  /** The body as text; what is not UTF-8 in it is replaced. */
  text: string;
  /** The body, byte for byte. */
  base64: string;
  /** Accessible name. */
  label: string;
}

/** A body as it came: not laid out, not decoded. */
export function Raw({ text, base64, label }: RawProps) {
  const { t, i18n } = useTranslation("support");
  const [view, setView] = useState<"text" | "bytes">("text");
  const bytes = useMemo(() => bytesOf(base64), [base64]);
  const exact = useMemo(() => isExact(text, bytes), [text, bytes]);
  const shown = useMemo(() => (view === "text" ? text.slice(0, TEXT_SHOWN) : hexDump(bytes)), [view, text, bytes]);
  const cut = view === "text" ? text.length > TEXT_SHOWN : bytes.length > HEX_SHOWN;
  return (
    <div className={classes.rawFrame}>
      <div className={classes.rawHead}>
        <SegmentedControl
          size="xs"
          aria-label={t("raw.view")}
          value={view}
          onChange={(next) => setView(next === "bytes" ? "bytes" : "text")}
          data={[
            { value: "text", label: t("raw.text") },
            { value: "bytes", label: t("raw.bytes") },
          ]}
        />
        <span className={styles.muted} title={t("raw.size", { count: bytes.length })}>
          {bytes.length < 1024 ? t("raw.size", { count: bytes.length }) : byteSize(bytes.length, i18n.language)}
        </span>
        <CopyButton text={text} label={t("raw.copy")} />
      </div>
      {!exact && <p className={styles.muted}>{t("raw.lossy")}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={classes.raw} data-view={view} tabIndex={0} aria-label={label}>
        <pre>{shown}</pre>
      </section>
      {cut && (
        <p className={styles.muted}>
          {t(view === "text" ? "raw.cutText" : "raw.cutBytes", {
            size: byteSize(view === "text" ? TEXT_SHOWN : HEX_SHOWN, i18n.language),
          })}
        </p>
      )}
    </div>
  );
}
