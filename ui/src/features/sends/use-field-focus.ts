import { useEffect, useRef, useState } from "react";

/**
 * Leads to a field of the form inside `frame`, by its name: `reveal` opens what hides it, and the field takes the focus
 * once it is there.
 */
export function useFieldFocus(reveal: (field: string) => void) {
  const frame = useRef<HTMLDivElement>(null);
  const [request, setRequest] = useState<{ field: string }>();
  useEffect(() => {
    if (!request) return;
    const field = frame.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(request.field)}"]`);
    const inner = field?.matches("[role=group]") ? field.querySelector<HTMLElement>(".cm-content, input") : undefined;
    // Scrolled to below, with room for its label and for what is said about it.
    (inner ?? field)?.focus({ preventScroll: true });
    // Problems of no field are at the top of the form.
    if (field) field.scrollIntoView({ block: "nearest" });
    else frame.current?.scrollIntoView({ block: "start" });
  }, [request]);
  const focus = (field: string | undefined) => {
    if (field === undefined) return;
    reveal(field);
    setRequest({ field });
  };
  return { frame, focus };
}
