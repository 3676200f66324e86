// The gallery's states of what is said on every page.
import type { Banner } from "@plumb/protocol/wire/site";
import { ok } from "../src/engine/testing/fake-answers.ts";
import type { FakeServer } from "../src/engine/testing/fake-server.ts";
import type { GalleryState } from "./gallery-page.ts";
import { gallerySettings } from "./gallery-settings.ts";

const banner: Banner = {
  id: "b1",
  items: [
    {
      show: true,
      type: "warning",
      closable: true,
      content: {
        en_US:
          "On Sunday from 2 to 4 a.m. answers may take longer than usual, and uploads may be refused. [Read more](https://status.example/42)",
        zh_CN:
          "周日凌晨 2 点至 4 点进行维护，期间回复可能变慢，上传文件可能失败。[查看详情](https://status.example/42)",
      },
    },
    {
      show: true,
      type: "error",
      closable: false,
      content: { en_US: "Search is out of order at the moment.", zh_CN: "联网搜索暂时不可用。" },
    },
  ],
};

/** With an announcement, in a region where one is asked about cookies. */
function announce(server: FakeServer): void {
  server.answer("/downloads/status.json", () => Response.json(banner));
  server.answer("/api/v0/client/settings", () =>
    ok({
      ...gallerySettings(),
      region: "DE",
      cookie_banner: { regions: ["DE"] },
      app_download: { ios: null, android: null, page: "https://example.com/app" },
    }),
  );
}

export const noticeStates = (home: (server: FakeServer) => void): Record<string, GalleryState> => ({
  "announced-home": {
    path: "/",
    prepare: (server) => {
      home(server);
      announce(server);
    },
  },
  "announced-sign-in": { path: "/sign_in", signedIn: false, prepare: announce },
});
