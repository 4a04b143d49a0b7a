import { ActionIcon, useComputedColorScheme } from "@mantine/core";
import { IconMoon, IconSun, IconUser } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./phone.module.css";

interface PhoneFrameProps {
  /** Accessible name of the phone. */
  label: string;
  /** Who the conversation is with, on top. */
  title: string;
  /** The conversation. */
  children: ReactNode;
  /** Below the conversation, such as a field to type in. */
  foot?: ReactNode;
}

/** A phone with a conversation in it; its colours can be switched apart from the window's. */
export function PhoneFrame({ label, title, children, foot }: PhoneFrameProps) {
  const { t } = useTranslation("phone");
  const window = useComputedColorScheme("light");
  const [chosen, setChosen] = useState<"light" | "dark">();
  const scheme = chosen ?? window;
  const other = scheme === "light" ? "dark" : "light";
  return (
    <figure className={`${classes.palette} ${classes.phone}`} data-scheme={scheme} aria-label={label}>
      <div className={classes.bar}>
        <span className={classes.avatar} aria-hidden>
          <IconUser size={16} stroke={1.8} />
        </span>
        <span className={classes.sender}>{title}</span>
        <ActionIcon
          className={classes.switch}
          variant="transparent"
          size="sm"
          onClick={() => setChosen(other)}
          aria-label={t(`show.${other}`)}
          title={t(`show.${other}`)}
        >
          {scheme === "light" ? <IconMoon size={16} /> : <IconSun size={16} />}
        </ActionIcon>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long conversation scrolls, and must do so by keyboard */}
      <div className={classes.wall} tabIndex={0} role="group" aria-label={t("message")}>
        {children}
      </div>
      {foot}
    </figure>
  );
}
