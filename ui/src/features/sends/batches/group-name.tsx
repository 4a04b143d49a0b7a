import { useTranslation } from "react-i18next";
import classes from "./batches.module.css";

/** A group of people of a batch: its name, how many they are, and what that means. */
export function GroupName({ name, people, text }: { name: string; people: number; text: string }) {
  const { i18n } = useTranslation();
  return (
    <div className={classes.groupName}>
      <strong>
        {name} {new Intl.NumberFormat(i18n.language).format(people)}
      </strong>
      <p className={classes.text}>{text}</p>
    </div>
  );
}
