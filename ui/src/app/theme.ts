import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

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

export const theme = createTheme({
  colors: { brand, dark },
  primaryColor: "brand",
  primaryShade: { light: 7, dark: 6 },
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
    TextInput: { defaultProps: { size: "sm" } },
    Textarea: { defaultProps: { size: "sm" } },
    Select: { defaultProps: { size: "sm", comboboxProps: { shadow: "md" } } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true, fz: "xs" } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45, blur: 2 } } },
    Tabs: { defaultProps: { keepMounted: false } },
    Badge: { defaultProps: { tt: "none", fw: 550 } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#f6f8f7",
    "--mantine-color-dimmed": "#5a6662",
    "--mantine-color-default-border": "#d3dbd7",
  },
  dark: {
    "--mantine-color-body": "#141716",
    "--mantine-color-dimmed": "#9aa6a2",
    "--mantine-color-default": "#202524",
    "--mantine-color-default-hover": "#272d2b",
    "--mantine-color-default-border": "#39423f",
  },
});
