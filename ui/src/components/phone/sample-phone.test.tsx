import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Bubble } from "@/bindings/model";
import { connectHost } from "@/lib/ipc/client";
import { createFakeHost } from "../../../test/fake-host";
import { SamplePhone } from "./sample-phone";

const FILE = "data:image/png;base64,AAAA";

it("shows the pictures of the sandbox's samples, and a local file instead of them", async () => {
  const host = createFakeHost({ templates: 1 });
  connectHost(host);
  const card = (link: string | null): Bubble => ({
    header: { kind: "media", format: "IMAGE", link },
    body: [],
    buttons: [],
    visible_buttons: 0,
    cards: [],
    right_to_left: false,
    unknown: [],
  });
  const bubble = { ...card(null), header: null, cards: [card("http://127.0.0.1:1/sandbox/public/a"), card(null)] };
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <SamplePhone bubble={bubble} cardMedia={[null, { name: "leaf.png", thumbnail: FILE }]} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  expect((await screen.findByRole("img", { name: "Image" })).getAttribute("src")).toMatch(/^data:image\/gif/);
  expect(screen.getByRole("img", { name: "leaf.png" }).getAttribute("src")).toBe(FILE);
  expect(host.calls.filter(({ name }) => name === "get_link_picture")).toMatchObject([
    { request: { sandboxOnly: true } },
  ]);
});
