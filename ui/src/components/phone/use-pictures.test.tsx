import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { type ReactNode, Suspense } from "react";
import { expect, it } from "vitest";
import type { Bubble } from "@/bindings/model";
import { connectHost } from "@/lib/ipc/client";
import { createFakeHost } from "../../../test/fake-host";
import { usePictures } from "./use-pictures";

const message = (link: string | null, cards: Bubble[] = []): Bubble => ({
  header: { kind: "media", format: "IMAGE", link },
  body: [],
  buttons: [],
  visible_buttons: 0,
  cards,
  right_to_left: false,
  unknown: [],
});

function show(bubble: Bubble, limits?: Parameters<typeof usePictures>[1]) {
  const host = createFakeHost({ templates: 1 });
  connectHost(host);
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <Suspense>{children}</Suspense>
    </QueryClientProvider>
  );
  const { result } = renderHook(() => usePictures(bubble, limits), { wrapper });
  const requests = () => host.calls.filter(({ name }) => name === "get_link_picture").map(({ request }) => request);
  return { result, requests };
}

const A = "https://shop.example/a.jpg";
const B = "https://shop.example/b.jpg";

it("fetches each linked picture once, and none that is a data URL", async () => {
  const { result, requests } = show(message(A, [message(B), message("data:image/png;base64,AA"), message(A)]));
  await waitFor(() => expect(result.current.cardMedia[0]?.thumbnail).toMatch(/^data:image/));
  const { media, cardMedia } = result.current;
  expect([media, ...cardMedia].map((picture) => picture?.thumbnail !== undefined)).toEqual([true, true, false, true]);
  expect(requests()).toEqual([A, B].map((url) => expect.objectContaining({ url, sandboxOnly: false })));
});

it("fetches only what it may, and passes on that only the sandbox may be asked", async () => {
  const { result, requests } = show(message(A, [message(B)]), { mayFetch: (link) => link === B, sandboxOnly: true });
  await waitFor(() => expect(result.current.cardMedia[0]?.thumbnail).toMatch(/^data:image/));
  expect(result.current.media).toBeUndefined();
  expect(requests()).toEqual([expect.objectContaining({ url: B, sandboxOnly: true })]);
});
