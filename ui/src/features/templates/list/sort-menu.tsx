import { Button, Menu } from "@mantine/core";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { MenuOnDemand } from "@/components/on-demand";
import classes from "./template-list.module.css";

const SORTS = ["newest", "name"] as const;
type Sort = (typeof SORTS)[number];

interface SortMenuProps {
  sort: Sort;
  onChange: (sort: Sort) => void;
}

export function SortMenu({ sort, onChange }: SortMenuProps) {
  const { t } = useTranslation("templates");
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
          aria-label={`${t("sort.label")}: ${t(`sort.${sort}`)}`}
          rightSection={<IconSelector size={14} aria-hidden />}
        >
          {t(`sort.${sort}`)}
        </Button>
      }
    >
      {() =>
        SORTS.map((choice) => (
          <Menu.Item
            key={choice}
            aria-current={choice === sort || undefined}
            rightSection={choice === sort && <IconCheck size={15} aria-hidden />}
            onClick={() => onChange(choice)}
          >
            {t(`sort.${choice}`)}
          </Menu.Item>
        ))
      }
    </MenuOnDemand>
  );
}
