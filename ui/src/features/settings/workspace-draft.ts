import type {
  SaveWorkspace,
  SecretInput,
  SecretKind,
  SecretStatus,
  SendingNumber,
  WorkspaceSettings,
} from "@/bindings/app";

/** A secret in the form: what was typed, or the wish to remove the stored one. Nothing typed leaves it as it is. */
export interface SecretDraft {
  typed: string;
  remove: boolean;
}

/** Secrets of the place at which webhooks come in. */
export const ENDPOINT_SECRETS = [
  "webhookSecret",
  "previousWebhookSecret",
  "verifyToken",
] as const satisfies readonly SecretKind[];
type EndpointSecret = (typeof ENDPOINT_SECRETS)[number];

export type EndpointSecrets = Record<EndpointSecret, SecretDraft>;

/** A number in the form, with the secrets of its own endpoint. */
export interface NumberDraft extends SendingNumber {
  secrets: EndpointSecrets;
}

/** A WABA in the form. */
export interface WabaDraft {
  id: string;
  name: string;
}

/** The form's values of a workspace. */
export interface WorkspaceDraft {
  settings: Omit<WorkspaceSettings, "numbers" | "wabaIds" | "wabaNames">;
  numbers: NumberDraft[];
  wabas: WabaDraft[];
  secrets: Record<SecretKind, SecretDraft>;
  sessionOnly: boolean;
}

export const SECRET_KINDS = ["token", "clientSecret", ...ENDPOINT_SECRETS] as const satisfies readonly SecretKind[];

const EMPTY: WorkspaceSettings = {
  name: "",
  baseUrl: "",
  channel: "messaging",
  messagingProduct: "",
  workspaceUuid: "",
  credentialKind: "bearer",
  clientId: "",
  numbers: [],
  businessId: "",
  wabaIds: [],
  wabaField: "waba_ids",
  tokenExpiresOn: "",
  businessName: "",
  wabaNames: {},
  allowUnencrypted: false,
  defaultCountry: "",
  takesUserIds: false,
};

const untouched = (): SecretDraft => ({ typed: "", remove: false });
const endpointSecrets = (): EndpointSecrets => ({
  webhookSecret: untouched(),
  previousWebhookSecret: untouched(),
  verifyToken: untouched(),
});

/** A row to type a number in. */
export const newNumber = (): NumberDraft => ({
  id: "",
  label: "",
  wabaId: "",
  ownWebhook: false,
  secrets: endpointSecrets(),
});

/** A row to type a WABA in. */
export const newWaba = (): WabaDraft => ({ id: "", name: "" });

/** The form of a stored workspace, or of a new one. Lists have a row to type in. */
export function draftOf({ numbers, wabaIds, wabaNames, ...settings }: WorkspaceSettings = EMPTY): WorkspaceDraft {
  const names = new Map(Object.entries(wabaNames));
  return {
    settings,
    numbers: numbers.length > 0 ? numbers.map((number) => ({ ...number, secrets: endpointSecrets() })) : [newNumber()],
    wabas: wabaIds.length > 0 ? wabaIds.map((id) => ({ id, name: names.get(id) ?? "" })) : [newWaba()],
    secrets: { token: untouched(), clientSecret: untouched(), ...endpointSecrets() },
    sessionOnly: false,
  };
}

/** What was typed without the secrets, which are in the keyring and nowhere else. */
export function withoutSecrets({ secrets: _, numbers, ...typed }: Partial<WorkspaceDraft>): Partial<WorkspaceDraft> {
  return numbers ? { ...typed, numbers: numbers.map((row) => ({ ...row, secrets: endpointSecrets() })) } : typed;
}

const given = (text: string) => text.trim() !== "";
const isNumber = ({ id, label }: SendingNumber) => given(id) || given(label);
const isWaba = ({ id, name }: WabaDraft) => given(id) || given(name);

/** The WABAs of numbers that the list of WABAs lacks, each once. */
export function unlistedWabas({ numbers, wabas }: Pick<WorkspaceDraft, "numbers" | "wabas">): string[] {
  const listed = new Set(wabas.map(({ id }) => id.trim()));
  const ofNumbers = numbers.map(({ wabaId }) => wabaId.trim());
  return [...new Set(ofNumbers)].filter((id) => /^\d{8,}$/.test(id) && !listed.has(id));
}

/** What is sent to store or to test the draft: rows left empty are no rows, secrets left alone are not named. */
export function requestOf(workspace: string | undefined, draft: WorkspaceDraft): SaveWorkspace {
  const numbers = draft.numbers.filter(isNumber);
  const wabas = draft.wabas.filter(isWaba);
  return {
    workspace: workspace ?? null,
    settings: {
      ...draft.settings,
      numbers: numbers.map(({ secrets, ...number }) => number),
      wabaIds: wabas.map(({ id }) => id),
      wabaNames: Object.fromEntries(wabas.filter(({ name }) => given(name)).map(({ id, name }) => [id.trim(), name])),
    },
    secrets: [
      ...secretsOf(SECRET_KINDS, draft.secrets),
      ...numbers.flatMap(({ id, ownWebhook, secrets }) =>
        // Secrets of an endpoint that is given up are not wanted: nothing could belong to them.
        ownWebhook ? secretsOf(ENDPOINT_SECRETS, secrets).map((secret) => ({ ...secret, number: id.trim() })) : [],
      ),
    ],
    sessionOnly: draft.sessionOnly,
  };
}

function secretsOf<K extends SecretKind>(kinds: readonly K[], secrets: Record<K, SecretDraft>): SecretInput[] {
  return kinds.flatMap((kind): SecretInput[] => {
    const { typed, remove } = secrets[kind];
    if (given(typed)) return [{ kind, value: typed }];
    return remove ? [{ kind, value: "" }] : [];
  });
}

/** Whether a secret was typed that is not stored. */
export function hasTypedSecrets(draft: WorkspaceDraft): boolean {
  return requestOf(undefined, draft).secrets.some(({ value }) => value !== "");
}

/** Where the stored secret is; absent where the workspace or the number is not stored yet. */
export function secretPlace(
  secrets: readonly SecretStatus[],
  kind: SecretKind,
  number: string | null,
): SecretStatus["place"] {
  return secrets.find((secret) => secret.kind === kind && (secret.number ?? null) === number)?.place ?? "absent";
}

/**
 * The field of the form that an error of the host names. Positions in lists are those of the request, which leaves
 * empty rows out.
 */
export function formField(field: string, { numbers, wabas }: WorkspaceDraft): string {
  const [list, position, ...rest] = field.split("/");
  if (position === undefined) return field;
  const rows: boolean[] | undefined =
    list === "wabaIds" ? wabas.map(isWaba) : list === "numbers" ? numbers.map(isNumber) : undefined;
  if (!rows) return field;
  let kept = Number(position);
  const row = rows.findIndex((is) => is && kept-- === 0);
  return row < 0 ? field : [list, row, ...rest].join("/");
}

export type Preset = "messaging" | "whatsapp" | "custom";

/** The preset that channel and product make. */
export function presetOf({
  channel,
  messagingProduct,
}: Pick<WorkspaceSettings, "channel" | "messagingProduct">): Preset {
  const words = [channel.trim() || "messaging", messagingProduct.trim()];
  if (words[0] === "messaging" && (words[1] === "" || words[1] === "messaging")) return "messaging";
  if (words[0] === "whatsapp" && (words[1] === "" || words[1] === "whatsapp")) return "whatsapp";
  return "custom";
}

/** The words a preset fills in; `custom` leaves them. */
export const PRESETS: Record<Preset, Partial<Pick<WorkspaceSettings, "channel" | "messagingProduct">>> = {
  messaging: { channel: "messaging", messagingProduct: "" },
  whatsapp: { channel: "whatsapp", messagingProduct: "whatsapp" },
  custom: {},
};

/** Whether something was typed that is not stored. */
export function isChanged(draft: WorkspaceDraft, stored: WorkspaceDraft): boolean {
  return JSON.stringify(requestOf(undefined, draft)) !== JSON.stringify(requestOf(undefined, stored));
}
