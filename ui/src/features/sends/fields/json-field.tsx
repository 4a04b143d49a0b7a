import { Button, Input } from "@mantine/core";
import { lazy, Suspense, useId } from "react";
import { useTranslation } from "react-i18next";
import type { SendProblem } from "@/bindings/model";
import type { JsonMarker } from "@/components/json-editor";
import { layOut } from "@/components/json-view";
import { Loading } from "@/components/loading";
import { useProblemText } from "@/components/send-problem-text";
import classes from "../fields.module.css";
import type { InputProps } from "./input-props";

const JsonEditor = lazy(() => import("@/components/json-editor"));

interface JsonFieldProps extends InputProps {
  problems: readonly SendProblem[];
  minHeight?: string;
}

/** A value of free shape: JSON with what is wrong marked at its place. */
export function JsonField({ input, value, onChange, problems, minHeight = "6rem" }: JsonFieldProps) {
  const { t } = useTranslation("sends");
  const id = useId();
  const markers = useMarkers(problems);
  const laidOut = layOut(value);
  return (
    <div data-field={input["data-field"]} role="group" aria-labelledby={id} onBlur={input.onBlur}>
      <div className={classes.jsonHead}>
        <Input.Label id={id} component="span" labelElement="div" required={input.withAsterisk}>
          {input.label}
        </Input.Label>
        {laidOut !== value && value.trim() !== "" && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(laidOut)}>
            {t("form.layOut")}
          </Button>
        )}
      </div>
      <Suspense fallback={<Loading rows={2} />}>
        <JsonEditor
          value={value}
          onChange={onChange}
          label={input.label}
          markers={markers}
          minHeight={minHeight}
          maxHeight="20rem"
        />
      </Suspense>
      {input.description}
    </div>
  );
}

/** Problems that know their place in the text. */
function useMarkers(problems: readonly SendProblem[]): JsonMarker[] {
  const text = useProblemText();
  return problems.flatMap((problem): JsonMarker[] => {
    const { line, column, path } = problem.values;
    const message = text(problem);
    if (line !== undefined) {
      return [{ line: Number(line), column: Number(column ?? 1), severity: problem.severity, message }];
    }
    return path === undefined ? [] : [{ path, severity: problem.severity, message }];
  });
}
