import { useState } from "react";
import { ConnectPath } from "./connect-path";
import { useWorkspaceForm } from "./use-workspace-form";
import { WorkspaceForm } from "./workspace-form";

/** Adds a workspace: in steps that explain each value, or on one page. What was typed is kept between the two. */
export function NewWorkspace() {
  const form = useWorkspaceForm();
  const [inSteps, setInSteps] = useState(true);
  return inSteps ? (
    <ConnectPath form={form} onOnePage={() => setInSteps(false)} />
  ) : (
    <WorkspaceForm form={form} onSteps={() => setInSteps(true)} />
  );
}
