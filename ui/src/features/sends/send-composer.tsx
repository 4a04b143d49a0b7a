import { Alert, Autocomplete, Button, Collapse, Select, Switch, Textarea, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconBan, IconChevronDown, IconChevronRight, IconSend, IconWand } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SendForm, SendRequest } from "@/bindings/app";
import type { SendPart } from "@/bindings/model";
import { ErrorNotice } from "@/components/error-notice";
import { JsonView } from "@/components/json-view";
import { Phone } from "@/components/phone/phone";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { PartFields } from "./part-fields";
import { firstAsked, groupParts, withSamples } from "./parts";
import classes from "./sends.module.css";
import { recallTyped, rememberTyped, type TypedSend } from "./typed-sends";

interface SendComposerProps {
  workspace: string;
  sandbox: boolean;
  reference: string;
  form: SendForm;
}

/** The form of a send beside the phone and the request that it makes. */
export function SendComposer({ workspace, sandbox, reference, form }: SendComposerProps) {
  const { t } = useTranslation("sends");
  const navigate = useNavigate();
  const client = useQueryClient();
  const [typed, setTyped] = useState<TypedSend>(
    () =>
      recallTyped(workspace, reference) ?? {
        number: form.numbers[0]?.id ?? "",
        to: "",
        values: {},
        callbackData: "",
        track: true,
      },
  );
  useEffect(() => rememberTyped(workspace, reference, typed), [workspace, reference, typed]);
  // A problem is shown once its field was left or a send was tried: a form that scolds before it is read helps nobody.
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(false);
  const [advanced, setAdvanced] = useState(typed.callbackData !== "" || !typed.track);
  const fields = useRef<HTMLDivElement>(null);
  const send = useCommand("send_template");

  const request = useMemo<SendRequest>(() => ({ workspace, reference, ...typed }), [workspace, reference, typed]);
  const [settled] = useDebouncedValue(request, 100);
  const preview = useQuery(queries.sendPreview(settled));

  const refused = send.error?.error.code === "invalidInput" ? send.error.error : undefined;
  const problems = new Map<string, string>();
  for (const { field, errorCode, message } of preview.data?.problems ?? []) {
    if (!problems.has(field)) problems.set(field, errorCode ? `${message} (${errorCode})` : message);
  }
  const errorOf = (field: string): string | undefined => {
    if (refused?.field === field) return refused.message;
    return tried || left.has(field) ? problems.get(field) : undefined;
  };
  const leave = (field: string) => () => setLeft((before) => new Set(before).add(field));
  const change = (part: Partial<TypedSend>) => {
    setTyped((before) => ({ ...before, ...part }));
    // A refusal of a value is answered by changing it; other refusals stay to be read.
    if (refused) send.reset();
  };

  const focus = (field: string | undefined) => {
    if (field === undefined) return;
    if (field === "callbackData") setAdvanced(true);
    requestAnimationFrame(() =>
      fields.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`)?.focus(),
    );
  };

  const submit = async () => {
    setTried(true);
    // What is shown may be a moment older than what is typed. Where the preview fails, the send itself will tell.
    const found = await client.fetchQuery({ ...queries.sendPreview(request), staleTime: 0 }).then(
      ({ problems: now }) => now.map(({ field }) => field),
      () => [],
    );
    if (found.length > 0) return focus(firstAsked(found, form.parts));
    send.mutate(request, {
      onSuccess: ({ id }) => void navigate({ to: "/sends/$send", params: { send: id } }),
      onError: ({ error }) => {
        if (error.code === "invalidInput") focus(error.field);
      },
    });
  };

  const missing = tried ? problems.size : 0;
  const general = tried ? [...problems].filter(([field]) => !isField(field, form.parts)) : [];
  return (
    <>
      <div className={classes.compose}>
        <div className={classes.form}>
          <div className={classes.fields} ref={fields}>
            {form.blocked && (
              <Alert color="orange" variant="light" icon={<IconBan size={18} />} title={t("form.blocked")}>
                {form.blocked}
              </Alert>
            )}
            {form.numbers.length === 0 && (
              <Alert color="orange" variant="light" title={t("form.noNumbers")}>
                {t("form.noNumbersText")}{" "}
                <Link to="/settings" search={{ section: "workspace", workspace }}>
                  {t("form.toSettings")}
                </Link>
              </Alert>
            )}
            <fieldset className={classes.section}>
              <legend>{t("form.who")}</legend>
              <div className={classes.pair}>
                <Autocomplete
                  label={t("form.to")}
                  description={t("form.toHint")}
                  placeholder="5511999990000"
                  withAsterisk
                  required
                  inputMode="tel"
                  autoComplete="off"
                  data-field="to"
                  data={form.recentRecipients}
                  limit={8}
                  openOnFocus={false}
                  value={typed.to}
                  onChange={(to) => change({ to })}
                  onBlur={leave("to")}
                  error={errorOf("to")}
                />
                <Select
                  label={t("form.number")}
                  description={t("form.numberHint")}
                  withAsterisk
                  required
                  allowDeselect={false}
                  data-field="number"
                  data={form.numbers.map(({ id, label }) => ({
                    value: id,
                    label: label === "" ? id : `${label} (${id})`,
                  }))}
                  value={typed.number === "" ? null : typed.number}
                  onChange={(number) => change({ number: number ?? "" })}
                  onBlur={leave("number")}
                  error={errorOf("number")}
                />
              </div>
            </fieldset>
            {form.parts.length > 0 && (
              <div>
                <Button
                  variant="light"
                  leftSection={<IconWand size={15} aria-hidden />}
                  onClick={() => change({ values: withSamples(form.parts, typed.values) })}
                >
                  {t("form.fill")}
                </Button>
              </div>
            )}
            {groupParts(form.parts).map((group) => (
              <PartFields
                key={group.key}
                group={group}
                values={typed.values}
                errorOf={errorOf}
                onLeave={leave}
                onChange={(id, value) => change({ values: { ...typed.values, [id]: value } })}
              />
            ))}
            {form.parts.length === 0 && <p className={classes.stepText}>{t("form.nothingToFill")}</p>}
            <div>
              <UnstyledButton
                className={classes.advanced}
                aria-expanded={advanced}
                aria-controls="send-advanced"
                onClick={() => setAdvanced(!advanced)}
              >
                {advanced ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
                {t("form.advanced")}
              </UnstyledButton>
              <Collapse expanded={advanced} id="send-advanced">
                <div className={classes.parts} style={{ paddingTop: "0.75rem" }}>
                  <Textarea
                    label={t("callback.label")}
                    description={t("callback.hint")}
                    placeholder='{"order": 1234}'
                    autosize
                    minRows={2}
                    maxRows={8}
                    data-field="callbackData"
                    styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
                    spellCheck={false}
                    value={typed.callbackData}
                    onChange={(event) => change({ callbackData: event.currentTarget.value })}
                    onBlur={leave("callbackData")}
                    error={errorOf("callbackData")}
                  />
                  <Switch
                    label={t("callback.track")}
                    description={t("callback.trackHint")}
                    checked={typed.track}
                    onChange={(event) => change({ track: event.currentTarget.checked })}
                  />
                </div>
              </Collapse>
            </div>
            {general.map(([field, message]) => (
              <Alert key={field} color="orange" variant="light" p="xs">
                {message}
              </Alert>
            ))}
          </div>
        </div>
        <aside className={classes.preview} aria-label={t("form.preview")}>
          {preview.error && (
            <div className={classes.refusal}>
              <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />
            </div>
          )}
          {preview.data && (
            <>
              <Phone bubble={preview.data.bubble} />
              <section aria-label={t("form.request")}>
                <h2 className={classes.small}>{t("form.request")}</h2>
                <JsonView text={preview.data.payload} label={t("form.request")} />
              </section>
            </>
          )}
        </aside>
      </div>
      <div className={classes.foot}>
        {send.error && <ErrorNotice error={send.error} />}
        <div className={classes.bar}>
          <p role="status">
            {missing > 0 ? t("form.missing", { count: missing }) : t(sandbox ? "form.sandbox" : "form.real")}
          </p>
          <Button
            size="sm"
            leftSection={<IconSend size={16} aria-hidden />}
            loading={send.isPending}
            disabled={Boolean(form.blocked) || form.numbers.length === 0}
            onClick={() => void submit()}
          >
            {t("form.send")}
          </Button>
        </div>
      </div>
    </>
  );
}

function isField(field: string, parts: readonly SendPart[]): boolean {
  return field === "to" || field === "number" || field === "callbackData" || parts.some(({ id }) => id === field);
}
