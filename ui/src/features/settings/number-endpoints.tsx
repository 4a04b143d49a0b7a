import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SecretField } from "./secret-field";
import type { WorkspaceFormState } from "./use-workspace-form";
import { ENDPOINT_SECRETS } from "./workspace-draft";

interface NumberEndpoint {
  number: string;
  name: string;
  /** Its secrets. */
  fields: ReactNode;
}

/** The numbers with a webhook endpoint of their own. */
export function useNumberEndpoints(form: WorkspaceFormState): NumberEndpoint[] {
  const { t } = useTranslation("settings");
  return form.draft.numbers.flatMap((row, index) => {
    if (!row.ownWebhook) return [];
    const number = row.id.trim();
    const name = row.label.trim() || number || t("numbers.unnamed", { place: index + 1 });
    return {
      number,
      name: t("endpoints.ofNumber", { name }),
      fields: ENDPOINT_SECRETS.map((kind) => (
        <SecretField
          key={kind}
          kind={kind}
          of={{ name, field: `numbers/${index}` }}
          place={form.storedAt(kind, number)}
          draft={row.secrets[kind]}
          error={form.errorOf(`numbers/${index}/${kind}`)}
          onChange={(secret) => form.setNumber(index, { secrets: { ...row.secrets, [kind]: secret } })}
        />
      )),
    };
  });
}
