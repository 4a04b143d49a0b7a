import { Badge, Code, Table, Tabs, Text } from "@mantine/core";
import { IconCheck, IconQuestionMark, IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { PlannedPart, PlannedRequest, StepOutcome } from "@/bindings/app";
import { ChangeList } from "@/components/change-list";
import { CurlView } from "@/components/curl-view";
import { ErrorNotice } from "@/components/error-notice";
import { usePlaceText } from "@/components/finding-place";
import { FindingList } from "@/components/findings";
import { JsonView } from "@/components/json-view";
import styles from "@/components/styles.module.css";
import { byteSize } from "@/lib/bytes";
import { useWabaText } from "@/lib/waba-names";
import classes from "../composer.module.css";
import { useComposer } from "../store";
import { UploadProgress } from "./upload-progress";

interface RequestOutcomeProps {
  request: PlannedRequest;
  outcome: StepOutcome | undefined;
  sending: boolean;
  onJump: (path: string) => void;
}

/** What became of one request, or how far it is; nothing before it is sent. */
export function RequestOutcome({ request, outcome: before, sending, onJump }: RequestOutcomeProps) {
  const { t } = useTranslation("composer");
  const { id, workspace, template, wabaIds, edits } = useComposer((state) => state.draft);
  const isEdit = edits != null;
  const placeText = usePlaceText();
  const wabaText = useWabaText(workspace);
  // An edit names no accounts: it is for all that have the template.
  const wabas = (isEdit ? wabaIds : request.wabaIds).map(wabaText).join(", ");
  // While it is sent again, what came of it before says nothing any more.
  const outcome = sending && before?.state !== "accepted" ? undefined : before;
  if (!outcome && !sending) return null;
  return (
    <article className={classes.request} aria-label={wabas}>
      <header className={styles.row}>
        <span className={styles.grow}>
          {t("wabas")}: {wabas}
        </span>
        {outcome && <OutcomeBadge outcome={outcome} />}
      </header>
      {!outcome && <UploadProgress draft={id} wabas={request.wabaIds} />}
      {outcome && outcome.state !== "accepted" && (
        <>
          {outcome.state === "unknown" && (
            <p className={styles.small}>{t(isEdit ? "outcome.unknownEdit" : "outcome.unknownText")}</p>
          )}
          <ErrorNotice error={outcome.error} />
          {outcome.state === "refused" && outcome.findings.length > 0 && (
            <FindingList
              findings={outcome.findings}
              label={t("sheet.refusedFields")}
              nameOf={(place) => placeText(place, template)}
              onJump={(finding) => onJump(finding.path)}
            />
          )}
        </>
      )}
      {outcome?.state === "accepted" && outcome.changes.length > 0 && (
        <section aria-label={t("outcome.earlier")}>
          <Text inherit my="1em">
            {t("outcome.earlier")}
          </Text>
          <ChangeList changes={outcome.changes} />
        </section>
      )}
    </article>
  );
}

/** One request as it is sent: where it goes, and what it carries. */
export function RequestView({ request }: { request: PlannedRequest }) {
  const { t } = useTranslation("composer");
  return (
    <div className={classes.request}>
      <div className={styles.row}>
        <Badge variant="light" radius="sm" ff="monospace">
          {request.method}
        </Badge>
        <Code className={classes.url}>{request.url}</Code>
      </div>
      <Tabs defaultValue="body">
        <Tabs.List>
          <Tabs.Tab value="body">{t(request.json == null ? "sheet.parts" : "sheet.json")}</Tabs.Tab>
          <Tabs.Tab value="curl">curl</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="body" pt="xs">
          {request.json == null ? (
            <Parts request={request} />
          ) : (
            <JsonView text={request.json} label={t("sheet.json")} maxHeight="20rem" />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="curl" pt="xs">
          <CurlView text={request.curl} copyLabel={t("sheet.copyCurl")} maxHeight="16rem" />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

function Parts({ request }: { request: PlannedRequest }) {
  const { t } = useTranslation("composer");
  return (
    <Table fz="xs" verticalSpacing={4} aria-label={t("sheet.parts")}>
      <Table.Tbody>
        {request.parts.map((part, index) => (
          <Table.Tr key={index}>
            <Table.Th scope="row" className={classes.mono} w="9rem">
              {part.name}
            </Table.Th>
            <Table.Td className={classes.part}>
              <PartValue part={part} />
              {part.beyond != null && (
                <Text component="p" fz="xs" c="dimmed" mt={2}>
                  {t(`sheet.beyond.${part.beyond}`)}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function PartValue({ part }: { part: PlannedPart }) {
  const { i18n } = useTranslation();
  if (part.fileName != null) return `${part.fileName} (${byteSize(part.size ?? 0, i18n.language)})`;
  const value = part.value ?? "";
  const isJson = value.startsWith("{") || value.startsWith("[");
  return isJson ? <JsonView text={value} label={part.name} maxHeight="14rem" /> : value;
}

function OutcomeBadge({ outcome }: { outcome: StepOutcome }) {
  const { t } = useTranslation("composer");
  const color = { accepted: "teal", refused: "red", unknown: "orange" }[outcome.state];
  const Icon = { accepted: IconCheck, refused: IconX, unknown: IconQuestionMark }[outcome.state];
  return (
    <Badge variant="light" color={color} leftSection={<Icon size={12} aria-hidden />} style={{ flex: "none" }}>
      {t(`outcome.${outcome.state}`)}
    </Badge>
  );
}
