import { useNavigate } from "@tanstack/react-router";
import type { TemplateTarget } from "@/bindings/app";
import { setCopyTarget } from "@/lib/copy-target";
import { useWorkspace } from "@/lib/desk";

/** Takes templates of the workspace shown to the screen that says what copying them would do. */
export function useCopyTo(): (to: string, target: TemplateTarget) => void {
  const navigate = useNavigate();
  const { id: from } = useWorkspace();
  return (to, target) => {
    setCopyTarget(from, target);
    void navigate({ to: "/templates/import", search: { copy: "yes", from, to } });
  };
}
