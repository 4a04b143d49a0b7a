import { byNamespace } from "@/lib/i18n/by-namespace";

export const namespaces = byNamespace(import.meta.glob<object>("./pt-BR/*.json", { eager: true, import: "default" }));
