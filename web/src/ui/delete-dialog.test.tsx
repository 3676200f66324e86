import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { letDialogsOpen, openDrawnPage } from "../markdown/testing/drawn-page.ts";

afterEach(() => vi.unstubAllGlobals());

test("a question whose deletion ends after it was closed closes no other one", async () => {
  const page = await openDrawnPage();
  letDialogsOpen(page);
  const { DeleteDialog } = await import("./delete-dialog.tsx");
  let end = (_isGone: boolean): void => {};
  const deletion = new Promise<boolean>((resolve) => (end = resolve));
  const onClose = vi.fn<() => void>();
  const question = (name: string) => (
    <DeleteDialog
      key={name}
      title={name}
      description=""
      cancelLabel="Cancel"
      deleteLabel={`Delete ${name}`}
      closeLabel="Close"
      onClose={onClose}
      onDelete={() => deletion}
    />
  );
  await page.draw(question("one"));
  const press = [...page.document.querySelectorAll("button")].find((b) => b.textContent === "Delete one");
  await act(async () => press?.click());
  await page.draw(question("other"));
  await act(async () => end(true));
  expect(onClose).not.toHaveBeenCalled();
  await page.close();
});
