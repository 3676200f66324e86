// What a system is told when somebody installs the page as an app (wire-contract.md §6.7). Pure.
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import { SHARE_TARGET_PATH } from "@plumb/protocol/wire/share-target";

/** `--ground` of web/src/styles/tokens.css, by day and by night. */
const GROUND = { light: "#fbfbfa", dark: "#141517" };

const texts: Record<Locale, { lang: string; description: string; newChat: string }> = {
  en_US: {
    lang: "en-US",
    description: "Ask, write and think things through with an AI assistant.",
    newChat: "New chat",
  },
  zh_CN: { lang: "zh-CN", description: "与 AI 助手一起提问、写作和思考。", newChat: "新对话" },
};

function icon(name: string, size: number, purpose: "any" | "maskable") {
  return { src: `/static/icons/${name}-${size}.png`, sizes: `${size}x${size}`, type: "image/png", purpose };
}

/** The language of an Accept-Language header that we have, the first that is named; English where none is. */
export function localeOfLanguages(header: string | undefined): Locale {
  const first = /(?:^|[\s,])(zh|en)(?=$|[\s,;-])/i.exec(header ?? "")?.[1];
  return first?.toLowerCase() === "zh" ? "zh_CN" : "en_US";
}

/** The manifest in one language. `takesShares`: there is a service worker to take what other apps share. */
export function webManifest({
  brandName,
  locale,
  takesShares,
}: {
  brandName: string;
  locale: Locale;
  takesShares: boolean;
}): object {
  const { lang, description, newChat } = texts[locale];
  const small = icon("icon", 192, "any");
  return {
    id: "/",
    start_url: "/",
    scope: "/",
    lang,
    dir: "ltr",
    name: brandName,
    short_name: brandName,
    description,
    display: "standalone",
    theme_color: GROUND.light,
    background_color: GROUND.light,
    // Browsers that know no colours by theme leave it aside.
    color_scheme_dark: { theme_color: GROUND.dark, background_color: GROUND.dark },
    categories: ["productivity"],
    icons: [
      small,
      icon("icon", 512, "any"),
      icon("maskable", 192, "maskable"),
      icon("maskable", 512, "maskable"),
    ],
    shortcuts: [{ name: newChat, url: "/", icons: [small] }],
    // By POST, so that what is shared stands in no address: the service worker answers it.
    ...(takesShares
      ? {
          share_target: {
            action: SHARE_TARGET_PATH,
            method: "POST",
            enctype: "multipart/form-data",
            params: { title: "title", text: "text", url: "url" },
          },
        }
      : {}),
  };
}
