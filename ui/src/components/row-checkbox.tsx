import type { ChangeEvent } from "react";
import classes from "./row-checkbox.module.css";

interface RowCheckboxProps {
  label: string;
  checked: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** The checkbox of a row, with the looks of Mantine's, which takes much longer to make. The list has the focus, not it. */
export function RowCheckbox({ label, checked, onChange }: RowCheckboxProps) {
  return (
    <input
      type="checkbox"
      className={classes.checkbox}
      tabIndex={-1}
      aria-label={label}
      checked={checked}
      onChange={onChange}
      onClick={(event) => event.stopPropagation()}
    />
  );
}
