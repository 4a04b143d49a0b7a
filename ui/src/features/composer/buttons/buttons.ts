// Changes to the buttons of a message or of a card, as plain functions on its components.

import type { Button } from "@/bindings/model";
import { compact, componentOf, type Json, type Parts, put, variablesOf } from "../parts";

/** Types of buttons that can be composed. One-time passcodes belong to authentication templates, which have fields of their own. */
export type ButtonKind = Exclude<Button["type"], "OTP">;

const NO_BUTTONS: Button[] = [];

export function buttonsOf(parts: Parts): Button[] {
  const buttons = componentOf(parts, "BUTTONS")?.buttons;
  return Array.isArray(buttons) ? buttons : NO_BUTTONS;
}

export function setButtons(parts: Parts, buttons: Button[]): Parts {
  return put(parts, "BUTTONS", (before) => {
    const rest = compact({ ...before, type: undefined, buttons: undefined });
    if (buttons.length === 0 && rest === undefined) return undefined;
    return { ...before, type: "BUTTONS", buttons };
  });
}

/** Labels that the channel fixes. */
export const FIXED_LABELS: Partial<Record<string, string>> = {
  CATALOG: "View catalog",
  MPM: "View items",
  SPM: "View",
  ORDER_DETAILS: "Copy Pix code",
};

const EMPTY_BUTTONS: Record<ButtonKind, Button> = {
  URL: { type: "URL", text: "", url: "" },
  QUICK_REPLY: { type: "QUICK_REPLY", text: "" },
  PHONE_NUMBER: { type: "PHONE_NUMBER", text: "", phone_number: "" },
  COPY_CODE: { type: "COPY_CODE", example: "" },
  FLOW: { type: "FLOW", text: "", flow_id: "", flow_action: "navigate" },
  VOICE_CALL: { type: "VOICE_CALL", text: "" },
  CATALOG: { type: "CATALOG", text: "View catalog" },
  MPM: { type: "MPM", text: "View items" },
  SPM: { type: "SPM", text: "View" },
  ORDER_DETAILS: { type: "ORDER_DETAILS", text: "Copy Pix code" },
  REQUEST_CONTACT_INFO: { type: "REQUEST_CONTACT_INFO" },
};

/** Inserts a button after those of its group: quick replies are adjacent, and so are all others. */
export function addButton(parts: Parts, kind: ButtonKind): Parts {
  const buttons = [...buttonsOf(parts)];
  const last = buttons.findLastIndex((button) => isQuick(button) === (kind === "QUICK_REPLY"));
  buttons.splice(last < 0 ? buttons.length : last + 1, 0, { ...EMPTY_BUTTONS[kind] });
  return setButtons(parts, buttons);
}

const isQuick = ({ type }: Button) => type === "QUICK_REPLY";

export function changeButton(parts: Parts, position: number, change: Json): Parts {
  const buttons = buttonsOf(parts);
  if (!buttons[position]) return parts;
  return setButtons(
    parts,
    buttons.map((button, index) =>
      index === position ? (compact({ ...button, ...change }) as unknown as Button) : button,
    ),
  );
}

/** The address of a URL button; its sample goes with its variable. */
export function setButtonUrl(parts: Parts, position: number, url: string): Parts {
  return changeButton(parts, position, variablesOf(url).length > 0 ? { url } : { url, example: undefined });
}

export function removeButton(parts: Parts, position: number): Parts {
  return setButtons(
    parts,
    buttonsOf(parts).filter((_, index) => index !== position),
  );
}

/** Puts the button at `from` where the one at `to` is. */
export function moveButtonTo(parts: Parts, from: number, to: number): Parts {
  const buttons = [...buttonsOf(parts)];
  if (from === to || !buttons[from] || !buttons[to]) return parts;
  buttons.splice(to, 0, ...buttons.splice(from, 1));
  return setButtons(parts, buttons);
}

/** A step up or down. At the edge of its group a button takes its whole group past the other, so that neither is split. */
export function moveButton(parts: Parts, position: number, by: 1 | -1): Parts {
  const buttons = buttonsOf(parts);
  const [button, neighbour] = [buttons[position], buttons[position + by]];
  if (!button || !neighbour) return parts;
  if (isQuick(button) === isQuick(neighbour) || !isGrouped(buttons))
    return moveButtonTo(parts, position, position + by);
  const edge = buttons.findIndex((it) => isQuick(it) !== isQuick(buttons[0] as Button));
  return setButtons(parts, [...buttons.slice(edge), ...buttons.slice(0, edge)]);
}

/** Whether quick replies are adjacent, and all others too. */
function isGrouped(buttons: Button[]): boolean {
  return (
    buttons.filter((button, position) => position > 0 && isQuick(button) !== isQuick(buttons[position - 1] as Button))
      .length <= 1
  );
}

export const FLOW_REFERENCES = ["flow_id", "flow_name", "flow_json"] as const;
export type FlowReference = (typeof FLOW_REFERENCES)[number];

/** Names the form of a FLOW button in one way; the others go, as exactly one is taken. */
export function setFlowReference(parts: Parts, position: number, reference: FlowReference, value: string): Parts {
  const cleared = Object.fromEntries(FLOW_REFERENCES.map((name) => [name, undefined]));
  return changeButton(parts, position, { ...cleared, [reference]: value });
}
