import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createFakeHost } from "@test/fake-host";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { keys } from "@/lib/ipc/keys";
import { VirtualList } from "./virtual-list";

const ROWS = Array.from({ length: 1_000 }, (_, index) => `row ${index}`);

function List({ newest }: { newest?: number }) {
  return (
    <VirtualList
      newest={newest}
      label="Rows"
      rows={ROWS}
      rowKey={(row) => row}
      rowLabel={(row) => row}
      rowHeight={50}
      memory="virtual-list.test"
    >
      {(row) => row}
    </VirtualList>
  );
}

it("goes to the first row before the first frame of a list that was left further down", async () => {
  const client = new QueryClient();
  client.setQueryData(keys.bootstrap(), await createFakeHost().call("get_bootstrap", {}));
  const list = (
    <QueryClientProvider client={client}>
      <List />
    </QueryClientProvider>
  );
  const before = render(list);
  const left = screen.getByRole("grid");
  left.scrollTop = 20_000;
  fireEvent.scroll(left);
  before.unmount();

  render(list);
  const back = screen.getByRole("grid");
  expect(back.scrollTop).toBe(20_000);
  fireEvent.keyDown(back, { key: "Home" });
  expect(back.scrollTop).toBe(0);
});

it("begins at its top if it got newer rows while it was left further down", async () => {
  const client = new QueryClient();
  client.setQueryData(keys.bootstrap(), await createFakeHost().call("get_bootstrap", {}));
  const open = (newest: number) =>
    render(
      <QueryClientProvider client={client}>
        <List newest={newest} />
      </QueryClientProvider>,
    );
  const before = open(1);
  const left = screen.getByRole("grid");
  left.scrollTop = 20_000;
  fireEvent.scroll(left);
  before.unmount();
  const same = open(1);
  expect(screen.getByRole("grid").scrollTop).toBe(20_000);
  same.unmount();
  open(2);
  expect(screen.getByRole("grid").scrollTop).toBe(0);
});
