import type { TemplateRow } from "@/bindings/app";

/** Whether the channel archives a template until `riskUntil`, or has archived it and will delete it. */
export function isAtRisk({ archival }: Pick<TemplateRow, "archival">, riskUntil: number): boolean {
  if (archival?.archivedAt == null) return false;
  return archival.kind === "archived" || archival.archivedAt <= riskUntil;
}
