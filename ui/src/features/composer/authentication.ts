// What an authentication template is made of. Its text is the channel's own; what is chosen is how the code is handed over.

import type { Attachment, Draft } from "@/bindings/app";
import type { Button, Component, OtpButton } from "@/bindings/model";
import { compact, componentOf, type Json, type Parts, put } from "./parts";
import type { ComposerState, ComposerStore } from "./store";

export function isAuthentication({ draft }: Pick<ComposerState, "draft">): boolean {
  return isWord(draft.template.category);
}

const isWord = (category: string | undefined) => category?.toLowerCase() === "authentication";

const buttonsIn = (parts: Parts): Button[] => componentOf(parts, "BUTTONS")?.buttons ?? [];

/** Index of the button that hands over the code; -1 if there is none. */
export function otpIndex(parts: Parts): number {
  return buttonsIn(parts).findIndex(({ type }) => type === "OTP");
}

export function otpOf(parts: Parts): OtpButton | undefined {
  return buttonsIn(parts)[otpIndex(parts)] as OtpButton | undefined;
}

/** Changes the button that hands over the code; `undefined` takes a key away. */
export function changeOtp(parts: Parts, change: Json): Parts {
  return put(parts, "BUTTONS", (before) => {
    const buttons = buttonsIn(parts);
    const position = otpIndex(parts);
    const otp = compact({ type: "OTP", otp_type: "COPY_CODE", ...(buttons[position] as Json | undefined), ...change });
    const after =
      position < 0 ? [...buttons, otp] : buttons.map((button, index) => (index === position ? otp : button));
    return { ...before, type: "BUTTONS", buttons: after };
  });
}

export function setRecommendation(parts: Parts, shown: boolean): Parts {
  return put(parts, "BODY", (before) => ({ ...before, type: "BODY", add_security_recommendation: shown }));
}

/** Minutes for which the code is valid; without them there is no footer. */
export function setExpiration(parts: Parts, minutes: number | undefined): Parts {
  return put(parts, "FOOTER", (before) => {
    if (minutes !== undefined) return { ...before, type: "FOOTER", code_expiration_minutes: minutes };
    const rest = compact({ ...before, type: undefined, code_expiration_minutes: undefined });
    return rest && { ...rest, type: "FOOTER" };
  });
}

/** Body, footer and buttons as an authentication template has them. */
function toAuthentication(parts: Parts): Parts {
  const otp = buttonsIn(parts).filter(({ type }) => type === "OTP");
  let after = put(parts, "BODY", (before) =>
    compact({
      ...before,
      type: "BODY",
      text: undefined,
      example: undefined,
      add_security_recommendation: before?.add_security_recommendation ?? true,
    }),
  );
  after = put(after, "FOOTER", (before) => {
    const rest = compact({ ...before, type: undefined, text: undefined });
    return rest && { ...rest, type: "FOOTER" };
  });
  return put(after, "BUTTONS", (before) => ({
    ...before,
    type: "BUTTONS",
    buttons: otp.length > 0 ? otp : [{ type: "OTP", otp_type: "COPY_CODE" } as Button],
  }));
}

/** Takes away what only an authentication template has. */
function fromAuthentication(parts: Parts): Parts {
  const others = buttonsIn(parts).filter(({ type }) => type !== "OTP");
  let after = put(parts, "BODY", (before) =>
    compact({ ...before, type: "BODY", text: before?.text ?? "", add_security_recommendation: undefined }),
  );
  after = setExpiration(after, undefined);
  return put(after, "BUTTONS", (before) => {
    const rest = compact({ ...before, type: undefined, buttons: undefined });
    return others.length === 0 && !rest ? undefined : { ...rest, type: "BUTTONS", buttons: others };
  });
}

interface Aside {
  authentication?: Component[];
  other?: { components: Component[]; headerFile: Attachment | null };
}

/** What the other kind of template held, so that a category chosen by mistake costs nothing. */
const asides = new WeakMap<ComposerStore, Aside>();

/** Chooses the category. To and from authentication the components change with it, in one step. */
export function chooseCategory(store: ComposerStore, category: string): void {
  store.getState().update((draft) => {
    const { template } = draft;
    const [before, after] = [isWord(template.category), isWord(category)];
    if (before === after) return { ...draft, template: { ...template, category } };
    const aside = asides.get(store) ?? {};
    const { components } = template;
    const next: Pick<Draft, "headerFile"> & { components: Component[] } = after
      ? { components: aside.authentication ?? toAuthentication(components), headerFile: draft.headerFile ?? null }
      : (aside.other ?? { components: fromAuthentication(components), headerFile: draft.headerFile });
    asides.set(
      store,
      after
        ? { ...aside, other: { components, headerFile: draft.headerFile ?? null } }
        : { ...aside, authentication: components },
    );
    return {
      ...draft,
      headerFile: next.headerFile,
      template: { ...template, category, components: next.components },
    };
  });
}
