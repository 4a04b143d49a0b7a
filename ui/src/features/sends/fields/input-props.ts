import type { ReactNode } from "react";

/** What every control of a part takes. */
export interface InputProps {
  /** Goes to the input as it is. */
  input: {
    label: string;
    placeholder: string;
    required: boolean;
    withAsterisk: boolean;
    autoComplete: string;
    "data-field": string;
    onBlur: () => void;
    error: boolean;
    description: ReactNode;
    descriptionProps: { component: "div" };
    inputWrapperOrder: ("label" | "input" | "description")[];
  };
  value: string;
  onChange: (value: string) => void;
}
