import { Tabs } from "@mantine/core";
import {
  IconAntennaBars5,
  IconBell,
  IconBellOff,
  IconBuilding,
  IconDatabase,
  IconGauge,
  IconInfoCircle,
  IconKey,
  IconLifebuoy,
  IconMessage2Bolt,
  IconPalette,
  IconReceipt,
  IconRefresh,
  IconShieldLock,
} from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ComponentType, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";
import { AboutSection } from "./about-section";
import { AppearanceSection } from "./appearance-section";
import { DataSection } from "./data-section";
import { NotificationsSection } from "./notifications-section";
import { NumbersSection } from "./numbers-section";
import { OptOutsSection } from "./opt-outs-section";
import { RateCardSection } from "./rate-card-section";
import { ReceiverSection } from "./receiver-section";
import { SavedRepliesSection } from "./saved-replies-section";
import { SecretsSection } from "./secrets-section";
import classes from "./settings.module.css";
import { StorageSection } from "./storage/storage-section";
import { SupportSection } from "./support/support-section";
import { UpdatesSection } from "./updates-section";
import { WorkspacesSection } from "./workspaces-section";

const SECTIONS = [
  { name: "workspace", Icon: IconBuilding, Section: WorkspacesSection },
  { name: "replies", Icon: IconMessage2Bolt, Section: SavedRepliesSection },
  { name: "optOuts", Icon: IconBellOff, Section: OptOutsSection },
  { name: "numbers", Icon: IconGauge, Section: NumbersSection },
  { name: "prices", Icon: IconReceipt, Section: RateCardSection },
  { name: "receiver", Icon: IconAntennaBars5, Section: ReceiverSection },
  { name: "secrets", Icon: IconKey, Section: SecretsSection },
  { name: "storage", Icon: IconDatabase, Section: StorageSection },
  { name: "appearance", Icon: IconPalette, Section: AppearanceSection },
  { name: "notifications", Icon: IconBell, Section: NotificationsSection },
  { name: "data", Icon: IconShieldLock, Section: DataSection },
  { name: "support", Icon: IconLifebuoy, Section: SupportSection },
  { name: "updates", Icon: IconRefresh, Section: UpdatesSection },
  { name: "about", Icon: IconInfoCircle, Section: AboutSection },
] as const satisfies readonly { name: string; Icon: typeof IconBell; Section: ComponentType }[];

export function SettingsScreen() {
  const { t } = useTranslation("settings");
  const navigate = useNavigate();
  const { section } = useSearch({ from: "/settings" });
  const current = SECTIONS.find(({ name }) => name === section)?.name ?? "workspace";
  const list = useRef<HTMLDivElement>(null);
  // The list of sections scrolls where the window is small or the text large; either changes its size.
  useEffect(() => {
    const { current: sections } = list;
    if (!sections) return;
    const tab = sections.querySelector(`[data-section="${current}"]`);
    const show = () => tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
    show();
    const observer = new ResizeObserver(show);
    observer.observe(sections);
    return () => observer.disconnect();
  }, [current]);
  return (
    <>
      <PageHeader title={t("title")} />
      <Tabs
        value={current}
        onChange={(name) => void navigate({ to: "/settings", search: { section: name ?? "workspace" } })}
        orientation="vertical"
        variant="pills"
        classNames={{
          root: classes.tabs,
          list: classes.list,
          tab: classes.tab,
          tabLabel: classes.tabLabel,
          panel: classes.panel,
        }}
      >
        <Tabs.List ref={list} aria-label={t("sections")}>
          {SECTIONS.map(({ name, Icon }) => (
            <Tabs.Tab
              key={name}
              value={name}
              data-section={name}
              leftSection={<Icon size={17} stroke={1.6} aria-hidden />}
            >
              {t(`section.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SECTIONS.map(({ name, Section }) => (
          <Tabs.Panel key={name} value={name}>
            <Section />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
