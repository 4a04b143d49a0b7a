import { Button, Menu } from "@mantine/core";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { MenuOnDemand } from "@/components/on-demand";
import classes from "./template-list.module.css";

/** The orders, as the filter has them, and their texts. */
const ORDERS = [
  { sort: "", text: "sort.newest" },
  { sort: "name", text: "sort.name" },
] as const;

interface SortMenuProps {
  /** Empty where the newest templates come first. */
  sort: string;
  onChange: (sort: (typeof ORDERS)[number]["sort"]) => void;
}

export function SortMenu({ sort, onChange }: SortMenuProps) {
  const { t } = useTranslation("templates");
  const current = t(ORDERS.find((order) => order.sort === sort)?.text ?? "sort.newest");
  return (
    <MenuOnDemand
      position="bottom-start"
      shadow="md"
      width={200}
      target={
        <Button
          h={36}
          variant="default"
          className={classes.sort}
          aria-label={`${t("sort.label")}: ${current}`}
          rightSection={<IconSelector size={14} aria-hidden />}
        >
          {current}
        </Button>
      }
    >
      {() =>
        ORDERS.map((order) => (
          <Menu.Item
            key={order.sort}
            aria-current={order.sort === sort || undefined}
            rightSection={order.sort === sort && <IconCheck size={15} aria-hidden />}
            onClick={() => onChange(order.sort)}
          >
            {t(order.text)}
          </Menu.Item>
        ))
      }
    </MenuOnDemand>
  );
}
