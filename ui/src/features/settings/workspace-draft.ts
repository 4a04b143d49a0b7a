import type { SaveWorkspace, SecretInput, SecretKind, SendingNumber, WorkspaceSettings } from "@/bindings/app";

/** A secret in the form: what was typed, or the wish to remove the stored one. Nothing typed leaves it as it is. */
export interface SecretDraft {
  typed: string;
  remove: boolean;
}

/** A workspace as it stands in the form. */
export interface WorkspaceDraft {
  settings: WorkspaceSettings;
  secrets: Record<SecretKind, SecretDraft>;
  sessionOnly: boolean;
}

export const SECRET_KINDS = [
  "token",
  "clientSecret",
  "webhookSecret",
  "previousWebhookSecret",
  "verifyToken",
] as const satisfies readonly SecretKind[];

const EMPTY: WorkspaceSettings = {
  name: "",
  baseUrl: "",
  channel: "messaging",
  messagingProduct: "",
  workspaceUuid: "",
  credentialKind: "bearer",
  clientId: "",
  numbers: [{ id: "", label: "" }],
  businessId: "",
  wabaIds: [""],
  wabaField: "waba_ids",
};

/** The form of a stored workspace, or of a new one. Lists have a row to type in. */
export function draftOf(settings: WorkspaceSettings = EMPTY): WorkspaceDraft {
  const untouched = (): SecretDraft => ({ typed: "", remove: false });
  return {
    settings: {
      ...settings,
      numbers:
        settings.numbers.length > 0 ? settings.numbers.map((number) => ({ ...number })) : [{ id: "", label: "" }],
      wabaIds: settings.wabaIds.length > 0 ? [...settings.wabaIds] : [""],
    },
    secrets: {
      token: untouched(),
      clientSecret: untouched(),
      webhookSecret: untouched(),
      previousWebhookSecret: untouched(),
      verifyToken: untouched(),
    },
    sessionOnly: false,
  };
}

const given = (text: string) => text.trim() !== "";
const isNumber = ({ id, label }: SendingNumber) => given(id) || given(label);

/** What is sent to store or to test the draft: rows left empty are no rows, secrets left alone are not named. */
export function requestOf(workspace: string | undefined, draft: WorkspaceDraft): SaveWorkspace {
  const { settings, secrets, sessionOnly } = draft;
  return {
    workspace: workspace ?? null,
    settings: {
      ...settings,
      numbers: settings.numbers.filter(isNumber),
      wabaIds: settings.wabaIds.filter(given),
    },
    secrets: SECRET_KINDS.flatMap((kind): SecretInput[] => {
      const { typed, remove } = secrets[kind];
      if (given(typed)) return [{ kind, value: typed }];
      return remove ? [{ kind, value: "" }] : [];
    }),
    sessionOnly,
  };
}

/**
 * The field of the form that an error of the host names. Positions in lists are those of the request, which leaves
 * empty rows out.
 */
export function formField(field: string, { settings }: WorkspaceDraft): string {
  const [list, position, ...rest] = field.split("/");
  if (position === undefined) return field;
  const rows: boolean[] | undefined =
    list === "wabaIds" ? settings.wabaIds.map(given) : list === "numbers" ? settings.numbers.map(isNumber) : undefined;
  if (!rows) return field;
  let kept = Number(position);
  const row = rows.findIndex((is) => is && kept-- === 0);
  return row < 0 ? field : [list, row, ...rest].join("/");
}

export type Preset = "messaging" | "whatsapp" | "custom";

/** The preset that channel and product make. */
export function presetOf({ channel, messagingProduct }: WorkspaceSettings): Preset {
  const words = [channel.trim() || "messaging", messagingProduct.trim()];
  if (words[0] === "messaging" && (words[1] === "" || words[1] === "messaging")) return "messaging";
  if (words[0] === "whatsapp" && (words[1] === "" || words[1] === "whatsapp")) return "whatsapp";
  return "custom";
}

/** The words a preset fills in; `custom` leaves them. */
export const PRESETS: Record<Preset, Partial<WorkspaceSettings>> = {
  messaging: { channel: "messaging", messagingProduct: "" },
  whatsapp: { channel: "whatsapp", messagingProduct: "whatsapp" },
  custom: {},
};

/** Whether something was typed that is not stored. */
export function isChanged(draft: WorkspaceDraft, stored: WorkspaceDraft): boolean {
  return JSON.stringify(requestOf(undefined, draft)) !== JSON.stringify(requestOf(undefined, stored));
}
