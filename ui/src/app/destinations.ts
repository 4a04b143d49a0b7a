import {
  IconAntennaBars5,
  IconChartBar,
  IconChecklist,
  IconDeviceMobile,
  IconFolderUp,
  IconLanguage,
  IconMessages,
  IconSend,
  IconSettings,
  IconTemplate,
  IconTrash,
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
] as const satisfies readonly { to: string; text: string; Icon: TablerIcon }[];

/** Views within the destinations that the command palette offers. */
export const VIEWS = [
  { to: "/templates", search: { view: "drafts" }, text: "places.drafts", Icon: IconTemplate },
  { to: "/templates", search: { view: "languages" }, text: "places.languages", Icon: IconLanguage },
  { to: "/templates/import", search: {}, text: "places.import", Icon: IconFolderUp },
  { to: "/templates/removed", search: {}, text: "places.removed", Icon: IconTrash },
  { to: "/insights", search: { tab: "messages" }, text: "places.messages", Icon: IconChartBar },
  { to: "/insights", search: { tab: "reviews" }, text: "places.reviews", Icon: IconChartBar },
  { to: "/insights", search: { tab: "pricing" }, text: "places.pricing", Icon: IconChartBar },
  { to: "/activity", search: { view: "refused" }, text: "places.refused", Icon: IconAntennaBars5 },
  { to: "/settings", search: { section: "notifications" }, text: "places.notifications", Icon: IconSettings },
  { to: "/settings", search: { section: "support" }, text: "places.support", Icon: IconSettings },
] as const satisfies readonly { to: string; search: object; text: string; Icon: TablerIcon }[];

/** The destination that contains an address; absent for screens outside of the rail. */
export const railOf = (pathname: string) =>
  DESTINATIONS.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))?.to;
