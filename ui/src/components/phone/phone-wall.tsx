import { useComputedColorScheme } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./phone.module.css";

interface PhoneWallProps {
  /** Accessible name. */
  label: string;
  children: ReactNode;
}

/** Messages as on a phone, without the phone around them. */
export function PhoneWall({ label, children }: PhoneWallProps) {
  return (
    <figure
      className={`${classes.palette} ${classes.phone}`}
      data-bare
      data-scheme={useComputedColorScheme("light")}
      aria-label={label}
    >
      <div className={classes.wall}>{children}</div>
    </figure>
  );
}
