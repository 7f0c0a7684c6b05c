import { expect, test, vi } from "vitest";
import { openTab } from "./open-tab";

function tab() {
  const replace = vi.fn();
  const close = vi.fn();
  const opened = { opener: {}, location: { replace }, close } as unknown as Window;
  return { opened, replace, close };
}

test("a new tab is cut off from the page before it shows the address", async () => {
  const { opened, replace } = tab();
  await openTab(
    async () => {
      expect(opened.opener).toBeNull();
      return "http://open.preview.localhost:3000/t";
    },
    () => opened,
  );
  expect(replace).toHaveBeenCalledWith("http://open.preview.localhost:3000/t");
});

test("without an address the tab closes, and a blocked tab is reported", async () => {
  const { opened, replace, close } = tab();
  const refused = openTab(
    () => Promise.reject(new Error("Nothing listens")),
    () => opened,
  );
  await expect(refused).rejects.toThrow("Nothing listens");
  expect([replace.mock.calls.length, close.mock.calls.length]).toEqual([0, 1]);
  await expect(
    openTab(
      async () => "",
      () => null,
    ),
  ).rejects.toThrow("blocked the new tab");
});
