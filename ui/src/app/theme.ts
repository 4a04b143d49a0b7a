import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import i18next from "i18next";
import { TOOLTIP_DELAY } from "@/components/hint";

const brand: MantineColorsTuple = [
  "#e6f8f1",
  "#d0f0e3",
  "#a3e2c8",
  "#70d2ab",
  "#40c08f",
  "#1fab79",
  "#109467",
  "#087f5b",
  "#066a4c",
  "#04543c",
];

// Greys with a breath of the brand, so that surfaces and accents belong together.
const dark: MantineColorsTuple = [
  "#d5dbd9",
  "#b3bdb9",
  "#95a19d",
  "#6d7a75",
  "#3d4644",
  "#2f3634",
  "#262c2a",
  "#1a1e1d",
  "#141716",
  "#0e100f",
];

/** No text is smaller than a caption. */
const BADGE_SIZES: Record<string, Record<`--badge-${string}`, string>> = {
  xs: { "--badge-fz": "0.6875rem", "--badge-height": "1.125rem", "--badge-padding-x": "0.375rem" },
  sm: { "--badge-fz": "0.6875rem", "--badge-height": "1.25rem", "--badge-padding-x": "0.4375rem" },
  md: { "--badge-fz": "0.75rem", "--badge-height": "1.375rem", "--badge-padding-x": "0.5rem" },
};

export const theme = createTheme({
  colors: { brand, dark },
  primaryColor: "brand",
  primaryShade: 7,
  fontFamily: '"Inter Variable", system-ui, sans-serif, "Noto Color Emoji"',
  fontFamilyMonospace: 'ui-monospace, "DejaVu Sans Mono", "Noto Sans Mono", monospace, "Noto Color Emoji"',
  headings: {
    fontFamily: '"Inter Variable", system-ui, sans-serif',
    fontWeight: "650",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.35" },
      h2: { fontSize: "1rem", lineHeight: "1.4" },
      h3: { fontSize: "0.875rem", lineHeight: "1.4" },
    },
  },
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: "xs" } },
    // What is typed may be in any script. As a property, Mantine would write it on the frame of the field.
    Input: { defaultProps: { attributes: { input: { dir: "auto" } } } },
    TextInput: { defaultProps: { size: "sm" } },
    Textarea: { defaultProps: { size: "sm" } },
    // Enter takes the first option that fits what was typed.
    Select: { defaultProps: { size: "sm", comboboxProps: { shadow: "md" }, selectFirstOptionOnChange: true } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    Tooltip: { defaultProps: { openDelay: TOOLTIP_DELAY, withArrow: true, fz: "xs" } },
    // The page itself never scrolls, so there is nothing to lock; the lock would write a style without the nonce.
    Modal: {
      styles: { title: { fontSize: "1rem", fontWeight: 650 } },
      defaultProps: {
        centered: true,
        lockScroll: false,
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
        // Its head is no banner: the window has one.
        attributes: { header: { role: "presentation" } },
      },
    },
    // A placeholder for the focus would be an item without a role.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Drawer: { defaultProps: { lockScroll: false, attributes: { header: { role: "presentation" } } } },
    Tabs: { defaultProps: { keepMounted: false } },
    Notification: {
      styles: { description: { color: "var(--desk-quiet)" } },
      defaultProps: {
        closeButtonProps: {
          // Read when a notification is drawn: the language may have changed since the start.
          get "aria-label"() {
            return i18next.t("close", { ns: "common" });
          },
        },
      },
    },
    // Help is below its field everywhere.
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] } },
    Badge: {
      // Badges are used in paragraphs, which may not contain a `div`.
      defaultProps: { component: "span", tt: "none", fw: 550 },
      vars: (_: unknown, { size = "md" }: { size?: string | number }) => ({ root: BADGE_SIZES[String(size)] ?? {} }),
    },
  },
});

/** Background and text colors of badges and notices, with enough contrast in both schemes. */
const TINTS: Record<string, { light: [ground: string, text: string]; dark: [ground: string, text: string] }> = {
  brand: { light: ["#def3ea", "#066a4c"], dark: ["#12b88629", "#63dcb0"] },
  teal: { light: ["#def3ea", "#066a4c"], dark: ["#12b88629", "#63dcb0"] },
  yellow: { light: ["#fdf1cf", "#7a5200"], dark: ["#fab00526", "#ffd666"] },
  orange: { light: ["#ffe9d6", "#98400a"], dark: ["#fd7e1429", "#ffb47a"] },
  red: { light: ["#fde5e5", "#b02525"], dark: ["#fa525229", "#ff9d9d"] },
  blue: { light: ["#e1effc", "#155a9c"], dark: ["#228be62e", "#8cc8fb"] },
  cyan: { light: ["#dcf3f7", "#0b6274"], dark: ["#15aabf2e", "#7fdcea"] },
  gray: { light: ["#e9eeeb", "#46504c"], dark: ["#ffffff14", "#b9c3bf"] },
};

function tints(scheme: "light" | "dark"): Record<string, string> {
  return Object.fromEntries(
    Object.entries(TINTS).flatMap(
      ([
        color,
        {
          [scheme]: [ground, text],
        },
      ]) => [
        [`--mantine-color-${color}-light`, ground],
        [`--mantine-color-${color}-light-color`, text],
      ],
    ),
  );
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...tints("light"),
    "--mantine-color-error": "var(--desk-error)",
    "--mantine-color-red-filled": "#d32f2f",
    "--mantine-color-red-filled-hover": "#b92626",
    "--mantine-color-body": "#f6f8f7",
    "--mantine-color-text": "#18211e",
    "--mantine-color-dimmed": "#5a6662",
    "--mantine-color-placeholder": "#7b8682",
    "--mantine-color-default-border": "#d3dbd7",
    "--mantine-color-disabled": "#e9eeeb",
    "--mantine-color-disabled-color": "#5a6662",
    "--mantine-color-disabled-border": "#d3dbd7",
  },
  dark: {
    ...tints("dark"),
    "--mantine-color-error": "var(--desk-error)",
    "--mantine-color-red-filled": "#d32f2f",
    "--mantine-color-red-filled-hover": "#b92626",
    "--mantine-color-body": "#141716",
    "--mantine-color-text": "#dbe2df",
    "--mantine-color-dimmed": "#9aa6a2",
    "--mantine-color-placeholder": "#7f8b86",
    "--mantine-color-default": "#202524",
    "--mantine-color-default-hover": "#272d2b",
    "--mantine-color-default-border": "#39423f",
    "--mantine-color-disabled": "#262c2a",
    "--mantine-color-disabled-color": "#9aa6a2",
    "--mantine-color-disabled-border": "#39423f",
  },
});
