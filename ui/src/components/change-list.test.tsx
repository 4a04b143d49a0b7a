import { MantineProvider } from "@mantine/core";
import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Change } from "@/bindings/model";
import { ChangeList } from "./change-list";

const show = (changes: Change[]) =>
  render(
    <MantineProvider>
      <ChangeList changes={changes} />
    </MantineProvider>,
  );

it("shows changes by component, and text changes word by word", () => {
  show([
    { path: "/category", before: "utility", after: "marketing", words: [] },
    {
      path: "/components/BODY/text",
      before: "Hello dear friend",
      after: "Hello my friend",
      words: [
        { kind: "same", text: "Hello " },
        { kind: "removed", text: "dear" },
        { kind: "added", text: "my" },
        { kind: "same", text: " friend" },
      ],
    },
    { path: "/components/BODY/example/body_text/0/0", before: null, after: "Ana", words: [] },
    { path: "/components/BUTTONS/1/text", before: "Later", after: null, words: [] },
    { path: "/components/HEADER/example/header_handle", before: null, after: "UPLOAD_PENDING", words: [] },
  ]);
  const template = within(screen.getByRole("group", { name: "Template" }));
  expect(template.getByText("utility").tagName).toBe("DEL");
  expect(template.getByRole("img", { name: "changed to" })).toBeDefined();
  expect(template.getByText("marketing").tagName).toBe("INS");

  const body = within(screen.getByRole("group", { name: "Body" }));
  expect(body.getAllByRole("term").map(({ textContent }) => textContent)).toEqual(["Text", "Samples"]);
  expect(body.getAllByRole("definition")[0]?.innerHTML).toContain("Hello <del>dear</del><ins>my</ins> friend");

  expect(within(screen.getByRole("group", { name: "Buttons · Button 2" })).getByText("Later").tagName).toBe("DEL");
  expect(within(screen.getByRole("group", { name: "Header" })).getByText("new file").tagName).toBe("INS");
});

it("says when nothing differs", () => {
  show([]);
  expect(screen.getByText("No differences.")).toBeDefined();
});
