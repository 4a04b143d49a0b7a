// Files of the address book. The file has twelve rows; whoever is in the book already changes with a label or when names
// are replaced.

import type { RecipientImport, RecipientImportRequest } from "@/bindings/app";
import type { Handlers } from "./fake-host";
import { refusal } from "./fake-host";

type Commands =
  | "import_recipients"
  | "plan_recipient_import"
  | "store_recipient_import"
  | "undo_recipient_import"
  | "export_recipients";

/** The longest label that the host takes. */
const MAX_LABEL = 40;

export const readFile = (parts: Partial<RecipientImport> = {}): RecipientImport => ({
  id: "file",
  name: "people.csv",
  columns: [
    { field: "number", columns: ["Mobile Phone"] },
    { field: "name", columns: ["First Name", "Last Name"] },
    { field: "labels", columns: ["Categories"] },
  ],
  unreadColumns: ["Birthday"],
  unknownColumns: null,
  added: 5,
  known: 3,
  changed: 0,
  repeated: 2,
  faults: [
    {
      line: 4,
      code: "number",
      value: "12",
      problem: {
        field: "to",
        code: "to.invalid",
        severity: "error",
        message: "",
        values: { reason: "it is too short", fault: "tooShort" },
      },
    },
    { line: 9, code: "noteTooLong", value: "Once upon a time", limit: 2000 },
  ],
  faulty: 2,
  ...parts,
});

const planned = ({ label, replaces }: RecipientImportRequest): RecipientImport => {
  if (label.length > MAX_LABEL) {
    refusal({ code: "invalidInput", field: "label", message: "Enter at most 40 characters." });
  }
  return readFile({ changed: label !== "" ? 3 : replaces ? 2 : 0 });
};

export const recipientFileHandlers: Pick<Handlers, Commands> = {
  import_recipients: () => readFile(),
  plan_recipient_import: planned,
  store_recipient_import: planned,
  undo_recipient_import: () => ({ kept: 0 }),
  export_recipients: ({ ids }) => ({ path: "/home/ana/recipients.csv", rows: ids?.length ?? 6 }),
};
