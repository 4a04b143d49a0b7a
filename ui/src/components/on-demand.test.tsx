import { Button, MantineProvider, Menu, Popover } from "@mantine/core";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { MenuOnDemand, PopoverOnDemand } from "./on-demand";

test("a menu is made by the first press, and gives the focus back when it is closed", async () => {
  let made = 0;
  const user = userEvent.setup();
  render(
    <MantineProvider>
      <MenuOnDemand target={<Button>More</Button>}>
        {() => {
          made += 1;
          return <Menu.Item>Import</Menu.Item>;
        }}
      </MenuOnDemand>
    </MantineProvider>,
  );
  const button = () => screen.getByRole("button", { name: "More" });
  expect([made, button().getAttribute("aria-haspopup"), button().getAttribute("aria-expanded")]).toEqual([
    0,
    "menu",
    "false",
  ]);
  for (const press of [() => user.click(button()), () => user.keyboard("{Enter}")]) {
    await press();
    expect(await screen.findByRole("menuitem", { name: "Import" })).toBeDefined();
    expect(button().getAttribute("aria-expanded")).toBe("true");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("menuitem")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(button()));
  }
});

test("a popover opens and closes by its button", async () => {
  const user = userEvent.setup();
  render(
    <MantineProvider>
      <PopoverOnDemand target={<Button>Status</Button>}>
        {() => (
          <Popover.Dropdown>
            <input aria-label="Find" />
          </Popover.Dropdown>
        )}
      </PopoverOnDemand>
    </MantineProvider>,
  );
  const press = () => user.click(screen.getByRole("button", { name: "Status" }));
  for (const _ of [1, 2]) {
    await press();
    expect(await screen.findByRole("textbox", { name: "Find" })).toBeDefined();
    await press();
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
  }
});
