import { Menu, Button as Push } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Fragment, useId } from "react";
import { useTranslation } from "react-i18next";
import { ButtonIcon } from "@/components/phone/button-icon";
import { WithReason } from "@/components/with-reason";
import { useComponent, useParts } from "../parts-context";
import type { ButtonKind } from "./buttons";
import classes from "./buttons.module.css";
import { CARD_KINDS, GROUPS, PRODUCT_CARD_KINDS } from "./kinds";

interface AddButtonProps {
  /** The most buttons there can be, once there are so many. */
  full: number | undefined;
  onAdd: (kind: ButtonKind) => void;
}

/** A menu of the types of buttons that can be added, with a description of each. */
export function AddButton({ full, onAdd }: AddButtonProps) {
  const { t } = useTranslation("composer");
  const { card } = useParts();
  const { component: header } = useComponent("HEADER");
  if (full !== undefined) {
    return (
      <WithReason reason={t("buttonsFull", { count: full })}>
        <Push
          size="compact-xs"
          variant="light"
          leftSection={<IconPlus size={14} />}
          data-action="add"
          data-disabled
          aria-disabled
        >
          {t("addButton")}
        </Push>
      </WithReason>
    );
  }
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <Push size="compact-xs" variant="light" leftSection={<IconPlus size={14} />} data-action="add">
          {t("addButton")}
        </Push>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {card !== undefined
          ? (header?.format === "PRODUCT" ? PRODUCT_CARD_KINDS : CARD_KINDS).map((kind) => (
              <Kind key={kind} kind={kind} onAdd={onAdd} />
            ))
          : GROUPS.map(({ name, kinds }) => (
              <Fragment key={name}>
                <Menu.Label>{t(`buttonGroup.${name}`)}</Menu.Label>
                {kinds.map((kind) => (
                  <Kind key={kind} kind={kind} onAdd={onAdd} />
                ))}
              </Fragment>
            ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Kind({ kind, onAdd }: { kind: ButtonKind; onAdd: (kind: ButtonKind) => void }) {
  const { t } = useTranslation("composer");
  const id = useId();
  return (
    <Menu.Item
      leftSection={<ButtonIcon kind={kind} />}
      aria-label={t(`button.${kind}`)}
      aria-describedby={id}
      onClick={() => onAdd(kind)}
    >
      {t(`button.${kind}`)}
      <span id={id} className={classes.what}>
        {t(`buttonWhat.${kind}`)}
      </span>
    </Menu.Item>
  );
}
