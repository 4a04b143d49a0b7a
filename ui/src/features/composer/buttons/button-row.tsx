import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from "@tabler/icons-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { Button } from "@/bindings/model";
import { ButtonIcon } from "@/components/phone/button-icon";
import { useButtonEdits } from "../carousel/in-step";
import composer from "../composer.module.css";
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
  place: number;
  count: number;
  /** JSON pointer to the button. */
  path: string;
  onRemove: (place: number) => void;
}

export const ButtonRow = memo(function ButtonRow({ id, button, place, count, path, onRemove }: ButtonRowProps) {
  const { t } = useTranslation("composer");
  const { arrange } = useButtonEdits();
  const { item, handle } = useReorderItem(id);
  const name = useKindName()(button, place);
  return (
    <li {...item} className={`${composer.button} ${classes.row}`} aria-label={name}>
      <div className={composer.buttonHead}>
        <Tooltip label={t("reorder.drag", { name })}>
          <ActionIcon {...handle} size="sm" className={classes.grip} aria-label={t("reorder.drag", { name })}>
            <IconGripVertical size={15} />
          </ActionIcon>
        </Tooltip>
        <ButtonIcon kind={button.type} />
        <span>{name}</span>
        <ListAction
          label={t("moveUp", { name })}
          Icon={IconArrowUp}
          disabled={place === 0}
          onClick={() => arrange((parts) => moveButton(parts, place, -1))}
        />
        <ListAction
          label={t("moveDown", { name })}
          Icon={IconArrowDown}
          disabled={place === count - 1}
          onClick={() => arrange((parts) => moveButton(parts, place, 1))}
        />
        <ListAction
          label={t("removeButton", { name })}
          Icon={IconTrash}
          name="remove"
          onClick={() => onRemove(place)}
        />
      </div>
      {button.type !== "FLOW" && <NotesAt places={[path]} />}
      <ButtonFields button={button} place={place} path={path} name={name} />
    </li>
  );
});
