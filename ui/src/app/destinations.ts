import {
  IconAddressBook,
  IconAntennaBars5,
  IconChartBar,
  IconChecklist,
  IconDeviceMobile,
  IconFolderUp,
  IconHelp,
  IconLanguage,
  IconMessages,
  IconSend,
  IconSettings,
  IconTemplate,
  IconTrash,
  IconUsers,
  type TablerIcon,
} from "@tabler/icons-react";

/** The destinations of the navigation rail, in its order. */
export const DESTINATIONS = [
  { to: "/templates", text: "rail.templates", Icon: IconTemplate },
  { to: "/review", text: "rail.review", Icon: IconChecklist },
  { to: "/sends", text: "rail.sends", Icon: IconSend },
  { to: "/activity", text: "rail.activity", Icon: IconAntennaBars5 },
  { to: "/inbox", text: "rail.inbox", Icon: IconMessages },
  { to: "/insights", text: "rail.insights", Icon: IconChartBar },
  { to: "/phone", text: "rail.sandboxPhone", Icon: IconDeviceMobile },
  { to: "/settings", text: "rail.settings", Icon: IconSettings },
  { to: "/help", text: "rail.help", Icon: IconHelp },
] as const satisfies readonly { to: string; text: string; Icon: TablerIcon }[];

/** Views within the destinations that the command palette offers. `text` is also the key of their other words. */
export const VIEWS = [
  { to: "/templates", search: { view: "drafts" }, text: "drafts", Icon: IconTemplate },
  { to: "/templates", search: { view: "languages" }, text: "languages", Icon: IconLanguage },
  { to: "/templates", search: { log: "open" }, text: "bulkActions", Icon: IconTemplate },
  { to: "/templates/import", search: {}, text: "submitFolder", Icon: IconFolderUp },
  { to: "/templates/removed", search: {}, text: "removed", Icon: IconTrash },
  { to: "/sends/batches", search: {}, text: "batches", Icon: IconUsers },
  { to: "/sends/recipients", search: {}, text: "recipients", Icon: IconAddressBook },
  { to: "/insights", search: { tab: "messages" }, text: "messages", Icon: IconChartBar },
  { to: "/insights", search: { tab: "reviews" }, text: "reviews", Icon: IconChartBar },
  { to: "/insights", search: { tab: "pricing" }, text: "pricing", Icon: IconChartBar },
  { to: "/activity", search: { view: "refused" }, text: "refused", Icon: IconAntennaBars5 },
  { to: "/activity", search: { view: "receiver" }, text: "receiverState", Icon: IconAntennaBars5 },
  { to: "/settings", search: { section: "workspace" }, text: "workspace", Icon: IconSettings },
  { to: "/settings", search: { section: "replies" }, text: "savedReplies", Icon: IconSettings },
  { to: "/settings", search: { section: "optOuts" }, text: "optOuts", Icon: IconSettings },
  { to: "/settings", search: { section: "receiver" }, text: "receiver", Icon: IconSettings },
  { to: "/settings", search: { section: "secrets" }, text: "secrets", Icon: IconSettings },
  { to: "/settings", search: { section: "storage" }, text: "storage", Icon: IconSettings },
  { to: "/settings", search: { section: "appearance" }, text: "appearance", Icon: IconSettings },
  { to: "/settings", search: { section: "notifications" }, text: "notifications", Icon: IconSettings },
  { to: "/settings", search: { section: "support" }, text: "support", Icon: IconSettings },
  { to: "/settings", search: { section: "data" }, text: "data", Icon: IconSettings },
  { to: "/settings", search: { section: "updates" }, text: "updates", Icon: IconSettings },
  { to: "/settings", search: { section: "about" }, text: "about", Icon: IconSettings },
] as const satisfies readonly { to: string; search: object; text: string; Icon: TablerIcon }[];

/** The destination that contains an address; absent for screens outside of the rail. */
export const railOf = (pathname: string) =>
  DESTINATIONS.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))?.to;
