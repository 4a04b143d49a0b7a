import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from "@tabler/icons-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { Button } from "@/bindings/model";
import { ButtonIcon } from "@/components/phone/button-icon";
import styles from "@/components/styles.module.css";
import { useButtonEdits } from "../carousel/in-step";
import { NotesAt } from "../field";
import { ListAction } from "../list-action";
import { useReorderItem } from "../reorder";
import { ButtonFields } from "./button-fields";
import { moveButton } from "./buttons";
import classes from "./buttons.module.css";
import { useKindName } from "./kinds";

interface ButtonRowProps {
  /** Follows the button through moves. */
  id: string;
  button: Button;
  index: number;
  count: number;
  /** JSON pointer to the button. */
  path: string;
  onRemove: (index: number) => void;
}

export const ButtonRow = memo(function ButtonRow({ id, button, index, count, path, onRemove }: ButtonRowProps) {
  const { t } = useTranslation("composer");
  const { arrange } = useButtonEdits();
  const { item, handle } = useReorderItem(id);
  const name = useKindName()(button, index);
  return (
    <li {...item} className={classes.row} aria-label={name}>
      <div className={classes.head}>
        <Tooltip label={t("reorder.drag", { name })}>
          <ActionIcon {...handle} size="sm" className={classes.grip} aria-label={t("reorder.drag", { name })}>
            <IconGripVertical size={15} />
          </ActionIcon>
        </Tooltip>
        <ButtonIcon kind={button.type} />
        <span className={styles.grow}>{name}</span>
        <ListAction
          label={t("moveUp", { name })}
          Icon={IconArrowUp}
          disabled={index === 0}
          onClick={() => arrange((parts) => moveButton(parts, index, -1))}
        />
        <ListAction
          label={t("moveDown", { name })}
          Icon={IconArrowDown}
          disabled={index === count - 1}
          onClick={() => arrange((parts) => moveButton(parts, index, 1))}
        />
        <ListAction
          label={t("removeButton", { name })}
          Icon={IconTrash}
          name="remove"
          onClick={() => onRemove(index)}
        />
      </div>
      {button.type !== "FLOW" && <NotesAt paths={[path]} />}
      <ButtonFields button={button} index={index} path={path} name={name} />
    </li>
  );
});
