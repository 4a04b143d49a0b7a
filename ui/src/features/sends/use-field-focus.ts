import { useEffect, useRef, useState } from "react";

/**
 * Leads to a field of the form inside `frame`, by its name: `reveal` opens what hides it, and the field takes the focus
 * once it is there.
 */
export function useFieldFocus(reveal: (field: string) => void) {
  const frame = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<{ field: string }>();
  useEffect(() => {
    if (!wanted) return;
    const place = frame.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(wanted.field)}"]`);
    const inner = place?.matches("[role=group]") ? place.querySelector<HTMLElement>(".cm-content, input") : undefined;
    // Scrolled to below, with room for its label and for what is said about it.
    (inner ?? place)?.focus({ preventScroll: true });
    // Problems of no field are at the top of the form.
    if (place) place.scrollIntoView({ block: "nearest" });
    else frame.current?.scrollIntoView({ block: "start" });
  }, [wanted]);
  const focus = (field: string | undefined) => {
    if (field === undefined) return;
    reveal(field);
    setWanted({ field });
  };
  return { frame, focus };
}
