import { useEffect, useRef, useState } from "react";
import type { Attachment, Inspection } from "@/bindings/app";
import type { Fill, Template } from "@/bindings/model";
import { call } from "@/lib/ipc/client";
import { type DeskFailure, toFailure } from "@/lib/ipc/errors";

const NO_FILL: Fill = { header: {}, body: {}, urls: {}, codes: {}, cards: [] };

/**
 * What the rules and the phone say about the template as it stands. Asked on every change; while one answer is under
 * way only the latest question waits, so that a slow answer never holds up typing nor overtakes a newer one.
 */
export function useInspection(template: Template, headerFile: Attachment | null) {
  const [inspection, setInspection] = useState<Inspection>();
  const [failure, setFailure] = useState<DeskFailure>();
  const wanted = useRef<{ template: Template; headerFile: Attachment | null } | undefined>(undefined);
  const running = useRef(false);
  const mounted = useRef(true);

  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  useEffect(() => {
    wanted.current = { template, headerFile };
    if (running.current) return;
    running.current = true;
    void (async () => {
      while (wanted.current && mounted.current) {
        const asked = wanted.current;
        wanted.current = undefined;
        try {
          const answer = await call("inspect_template", { ...asked, fill: NO_FILL });
          if (mounted.current) {
            setInspection(answer);
            setFailure(undefined);
          }
        } catch (reason) {
          if (mounted.current) setFailure(toFailure(reason));
        }
      }
      running.current = false;
    })();
  }, [template, headerFile]);

  return { inspection, failure };
}
