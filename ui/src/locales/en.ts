import { byNamespace } from "@/lib/i18n/by-namespace";

export const namespaces = byNamespace(
  import.meta.glob<string>("./en/*.json", { eager: true, query: "?raw", import: "default" }),
);
