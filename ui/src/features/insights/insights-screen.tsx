import { Tabs } from "@mantine/core";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";
import { ProjectionBar } from "@/components/projection-bar";
import classes from "./insights.module.css";
import { Messages } from "./messages";
import { Overview } from "./overview";
import { Pricing } from "./pricing";
import { route, useChange } from "./range";
import { Reviews } from "./reviews";

const TABS = [
  { name: "messages", Tab: Messages },
  { name: "reviews", Tab: Reviews },
  { name: "pricing", Tab: Pricing },
  { name: "overview", Tab: Overview },
] as const satisfies readonly { name: string; Tab: ComponentType }[];

/** Figures of sends, reviews and prices. Every chart has its figures as a table, every figure its basis. */
export function InsightsScreen() {
  const { t } = useTranslation("insights");
  const { tab } = route.useSearch();
  const change = useChange();
  const current = TABS.find(({ name }) => name === tab)?.name ?? TABS[0].name;
  return (
    <>
      <PageHeader title={t("title")} detail={t("detail")} />
      <ProjectionBar />
      <Tabs
        value={current}
        // The days stay the same from one tab to the next, so that their figures can be laid side by side.
        onChange={(name) => change({ tab: name ?? undefined })}
        classNames={{ root: classes.tabs, list: classes.list, panel: classes.panel }}
      >
        <Tabs.List aria-label={t("tabs")}>
          {TABS.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {t(`tab.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ name, Tab }) => (
          // Figures scroll, and where nothing among them takes the focus the panel itself must.
          <Tabs.Panel key={name} value={name} tabIndex={0}>
            <Tab />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
