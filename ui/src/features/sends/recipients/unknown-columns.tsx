import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./recipients.module.css";

interface UnknownColumnsProps {
  columns: readonly string[];
  onClose: () => void;
}

/** That no column of a file is known to have numbers, and what to do. */
export function UnknownColumns({ columns, onClose }: UnknownColumnsProps) {
  const { t } = useTranslation("batches");
  return (
    <div className={classes.form}>
      <p role="alert">{t("import.noColumn", { columns: columns.join(", "), nest: false })}</p>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t("close", { ns: "common" })}</Button>
      </Group>
    </div>
  );
}
