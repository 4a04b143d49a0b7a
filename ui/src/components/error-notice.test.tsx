import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { DeskError } from "@/bindings/app";
import { showLanguage } from "@/lib/i18n/i18n";
import { ErrorNotice } from "./error-notice";

const TRY_AGAIN = /try again|tente de novo|reintent|vuelva a intentar/i;

const CAUSES: (DeskError | null)[] = [
  { code: "offline", reason: "http://provider: the connection broke off" },
  { code: "timedOut", seconds: 30 },
  { code: "service", status: 503, message: "Busy", body: "<html>" },
  { code: "unreadable", endpoint: "POST /x", status: 200, reason: "it is not JSON", body: "?" },
  null,
];

describe("a file that can't be used", () => {
  afterEach(() => showLanguage("en"));

  it("says what is wrong in the language of the window, and keeps the words of the system", async () => {
    await showLanguage("es");
    const error: DeskError = {
      code: "file",
      name: "clientes.csv",
      reason: "it cannot be read (Permission denied)",
      problem: "noPermission",
    };
    render(<ErrorNotice error={error} />, { wrapper: MantineProvider });
    expect(screen.getByText(/^clientes\.csv: usted no tiene acceso\./)).toBeTruthy();
    // Behind the details, closed at first.
    const words = screen.getByText("it cannot be read (Permission denied)");
    expect(words.closest("details")?.open).toBe(false);
    expect(screen.getByText("Detalles")).toBeTruthy();
    expect(screen.queryByText("Elija otro archivo.")).toBeNull();
  });
});

describe("a refusal with a code", () => {
  afterEach(() => showLanguage("en"));

  it.each([
    ["en", "This can't be sent as it is", /^WhatsApp does not let Flores send templates/],
    ["es", "No se puede enviar así", /^WhatsApp no permite que Flores envíe/],
    ["pt-BR", "Não dá para enviar assim", /^No momento, o WhatsApp não permite que Flores envie/],
  ] as const)("is worded in %s, without advice about a field", async (language, title, sentence) => {
    await showLanguage(language);
    const error: DeskError = {
      code: "invalidInput",
      field: "number",
      message: "WhatsApp does not let Flores … (number.restricted)",
      problem: "number.restricted",
      values: { account: "Flores" },
    };
    render(<ErrorNotice error={error} />, { wrapper: MantineProvider });
    expect(screen.getByText(title)).toBeTruthy();
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(screen.queryByText(/number\.restricted|Correct the field/)).toBeNull();
  });

  it.each([
    ["en", "Ana has this number already."],
    ["es", "Ana ya tiene este número."],
    ["pt-BR", "Ana já tem este número."],
  ] as const)("names what an input collides with in %s", async (language, sentence) => {
    await showLanguage(language);
    const fault = { kind: "numberTaken", name: "Ana" } as const;
    const error: DeskError = { code: "invalidInput", field: "number", message: "In English.", fault };
    render(<ErrorNotice error={error} />, { wrapper: MantineProvider });
    expect(screen.getByText(new RegExp(sentence))).toBeTruthy();
    expect(screen.queryByText(/In English/)).toBeNull();
  });

  it.each([
    ["en", "1,200 rows cannot be sent.", /^WhatsApp does not deliver .* Start the batch after Nov 29, 2026, \d+:05/],
    [
      "es",
      "Filas que no se pueden enviar: 1200.",
      /^WhatsApp todavía .* Inicie el lote después del 29 nov 2026, \d+:05/,
    ],
    [
      "pt-BR",
      "Linhas que não podem ser enviadas: 1.200.",
      /^O WhatsApp ainda .* depois de 29 de nov\. de 2026, \d+:05/,
    ],
  ] as const)("says in %s what has to happen first", async (language, rows, heldBack) => {
    await showLanguage(language);
    const faults = [
      { kind: "faultyRows", rows: 1200 },
      { kind: "heldBack", until: new Date(2026, 10, 29, 12, 5).getTime() },
    ] as const;
    for (const fault of faults) {
      const error: DeskError = { code: "conflict", message: "In English.", fault };
      render(<ErrorNotice error={error} />, { wrapper: MantineProvider });
    }
    expect(screen.getByText(rows, { exact: false })).toBeTruthy();
    expect(screen.getByText(heldBack)).toBeTruthy();
    expect(screen.queryByText(/In English/)).toBeNull();
  });
});

describe("an unknown outcome", () => {
  afterEach(() => showLanguage("en"));

  it.each([
    ["en", "We don't know whether this was done"],
    ["pt-BR", "Não sabemos se isto foi feito"],
    ["es", "No sabemos si esto se hizo"],
  ])("is told in %s, with what happened and never with an offer to try again", async (language, title) => {
    await showLanguage(language);
    for (const cause of CAUSES) {
      const error: DeskError = { code: "outcomeUnknown", cause };
      const { unmount } = render(<ErrorNotice error={error} onRetry={() => undefined} offersSettings={false} />, {
        wrapper: MantineProvider,
      });
      const notice = screen.getByRole("alert");
      expect(notice.textContent).toContain(title);
      expect(notice.textContent).not.toMatch(TRY_AGAIN);
      expect(screen.queryByRole("button", { name: TRY_AGAIN })).toBeNull();
      unmount();
    }
  });

  it("shows the answer that said nothing", () => {
    const cause: DeskError = { code: "service", status: 503, message: "Busy", body: '{"a":1}' };
    render(<ErrorNotice error={{ code: "outcomeUnknown", cause }} />, { wrapper: MantineProvider });
    expect(screen.getByText("Busy")).toBeTruthy();
    expect(screen.getByText("Message from the provider")).toBeTruthy();
  });
});
