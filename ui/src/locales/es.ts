import { byNamespace } from "@/lib/i18n/by-namespace";

export const namespaces = byNamespace(import.meta.glob<object>("./es/*.json", { eager: true, import: "default" }));
