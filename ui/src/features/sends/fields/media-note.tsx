import { Button, Group } from "@mantine/core";
import { IconCheck, IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { MediaCheck } from "@/bindings/app";
import { byteSize } from "@/lib/bytes";

/** What is known of the files behind links, and how to look again. */
export interface LinkState {
  checks: readonly MediaCheck[];
  checking: boolean;
  check: () => void;
}

/** Type and size of the file behind a link. Its problems are listed with the others. */
export function MediaNote({ part, value, links }: { part: string; value: string; links: LinkState }) {
  const { t, i18n } = useTranslation("sends");
  // Only digits are the identifier of an upload.
  if (!/^https?:\/\//i.test(value.trim())) return null;
  const found = links.checks.find((check) => check.part === part && check.url === value.trim());
  const facts = [found?.mime, found?.bytes == null ? undefined : byteSize(found.bytes, i18n.language)].filter(Boolean);
  return (
    <Group gap="0 0.375rem" role="status">
      {found?.state === "ok" && <IconCheck size={14} aria-hidden />}
      <span>
        {links.checking ? t("media.checking") : found ? t(`media.${found.state}`) : t("media.notYet")}
        {!links.checking && facts.length > 0 && ` · ${facts.join(" · ")}`}
      </span>
      {!links.checking && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconRefresh size={12} aria-hidden />}
          onClick={links.check}
        >
          {t(found ? "media.again" : "media.check")}
        </Button>
      )}
    </Group>
  );
}
