import type { ClientSettings } from "@plumb/protocol/wire/site";
import type { Page } from "@playwright/test";

/** Lets the page read the installation's settings with a change made on the way, which may take its time. */
export async function changeSettings(
  page: Page,
  change: (settings: ClientSettings) => unknown,
): Promise<void> {
  await page.route("**/api/v0/client/settings*", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: { biz_data: ClientSettings } };
    await change(body.data.biz_data);
    await route.fulfill({ response, json: body });
  });
}
