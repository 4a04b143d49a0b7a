import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { showLanguage } from "@/lib/i18n/i18n";
import { FailureExplained } from "./failure-explained";
import { providerMessages } from "./provider-messages";

const show = (props: Parameters<typeof FailureExplained>[0]) =>
  render(<FailureExplained {...props} />, { wrapper: MantineProvider });

/** The definition of a term. */
const said = (term: string) => screen.getByText(term).nextElementSibling?.textContent;

const OVERSIZE = JSON.stringify({
  code: 131053,
  title: "Media upload error",
  message: "Media upload error",
  retryable: false,
  classification: "UserError",
  details: { file_size_bytes: 6_000_000, max_size_bytes: 5_242_880, reason: "The image is too large" },
});

describe("a failure", () => {
  afterEach(() => showLanguage("en"));

  it.each([
    ["en", "What it means", "The media could not be uploaded: its type or size is not accepted."],
    ["pt-BR", "O que significa", "A mídia não pôde ser carregada: o tipo ou o tamanho não é aceito."],
    ["es", "Qué significa", "No se pudo cargar el archivo: no se admite su tipo o su tamaño."],
  ])("is explained in %s", async (language, term, meaning) => {
    await showLanguage(language);
    show({ explanation: { code: "131053", known: true, retry: "no", message: "…" }, error: OVERSIZE });
    expect(said(term)).toBe(meaning);
  });

  it("says whether trying again helps, what to do, and what the provider says", () => {
    show({ explanation: { code: "131053", known: true, retry: "no", message: "…" }, error: OVERSIZE });
    expect(said("Will it help to try again?")).toBe("No. It fails again until you change something.");
    expect(said("What to do")).toBe("Use a file of an accepted type and size; an image has at most 5 MB.");
    expect(said("Message from the provider")).toBe("Media upload errorThe image is too large");
  });

  it("shows the sizes and the reason that the provider gives", () => {
    const explanation = {
      code: "131053",
      known: true,
      retry: "no",
      message: "…",
      words: ["Media upload error", "The image is too large"],
      details: [
        { name: "file_size_bytes", value: "6000000" },
        { name: "max_size_bytes", value: "5242880" },
        { name: "media_kind", value: "image" },
      ],
    } as const;
    show({ explanation: { ...explanation, words: [...explanation.words], details: [...explanation.details] } });
    expect(said("File size")).toBe("5.7 MB");
    expect(said("Maximum size")).toBe("5 MB");
    expect(screen.getByText("media_kind").closest("dt")?.nextElementSibling?.textContent).toBe("image");
    expect(said("Message from the provider")).toBe("Media upload errorThe image is too large");
  });

  it("of a code that is not known leaves the provider to speak", () => {
    show({ explanation: { code: "999", known: false, message: "?" }, error: '{"code":999,"title":"Mystery"}' });
    expect(said("What it means")).toBe("This app doesn't know this code. Read the message from the provider.");
    expect(said("Will it help to try again?")).toBe("Unknown.");
    expect(said("Message from the provider")).toBe("Mystery");
  });

  it("shares one explanation among the permission codes", () => {
    show({ explanation: { code: "278", known: true, retry: "no", message: "…" } });
    expect(said("What to do")).toBe("Check the workspace's token and its permissions.");
  });
});

describe("messages of an error object", () => {
  it.each([
    ['{"title":"A","message":"B","error_data":{"details":"C"}}', ["A", "B", "C"]],
    ['{"title":"A","details":{"reason":"R"}}', ["A", "R"]],
    ['{"message":"A","details":"D"}', ["A", "D"]],
    ['"plain"', ["plain"]],
    ["not JSON", ["not JSON"]],
    ['{"title":"","message":7}', []],
    ["[]", []],
    ["null", []],
  ])("%s", (error, words) => {
    expect(providerMessages(error)).toEqual(words);
  });
});
