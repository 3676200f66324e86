import { contentOf, type createAnnouncement, shownItems } from "../../engine/site/announcement.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { NoticeBar } from "./notice-bar.tsx";
import { NoticeText } from "./notice-text.tsx";

/** What the operator announces, above everything else. */
export function AnnouncementBar({ announcement }: { announcement: ReturnType<typeof createAnnouncement> }) {
  const { accounts, site } = useEngine();
  const { t, locale } = useTexts();
  const state = useSelector(announcement.store, (all) => all);
  const status = useSelector(accounts.auth, (auth) => auth.status);
  const settings = useSelector(site.settings, (all) => all.settings);
  const items = shownItems(state, {
    isSignedIn: status === "pending" ? null : status === "yes",
    deployEnv: settings?.deploy_env ?? "",
    appId: settings?.app_id ?? "",
  });
  return items.map((item, index) => (
    <NoticeBar
      key={index}
      type={item.type}
      closeLabel={t("common.close")}
      onClose={item.closable ? announcement.close : undefined}
    >
      <NoticeText text={contentOf(item, locale)} />
    </NoticeBar>
  ));
}
