import { useTranslation } from "react-i18next";
import { useFacetText } from "./template-filters/facet-text";

const COLORS: Record<string, string> = {
  GREEN: "var(--mantine-color-teal-6)",
  YELLOW: "var(--mantine-color-yellow-6)",
  RED: "var(--mantine-color-red-6)",
};

/** The quality that the channel rates a template with; the word as it came where it is not a known one. */
export function Quality({ value }: { value: string | null | undefined }) {
  const { t } = useTranslation("filters");
  const text = useFacetText();
  if (value == null || value === "") {
    return (
      <span>
        <span aria-hidden>–</span>
        <span style={HIDDEN}>{t("qualityNotSaid")}</span>
      </span>
    );
  }
  return (
    <span style={{ display: "inline-flex", alignItems: "center", gap: "0.375rem", minWidth: 0 }}>
      <span
        aria-hidden
        style={{
          flex: "none",
          width: "0.5rem",
          height: "0.5rem",
          borderRadius: "50%",
          background: COLORS[value] ?? "var(--desk-line)",
        }}
      />
      {text("quality", value)}
    </span>
  );
}

const HIDDEN = { position: "absolute", width: 1, height: 1, overflow: "hidden", clipPath: "inset(50%)" } as const;
