// Every state of the screen on the real engine over a server in memory, for looking, not shipped:
// gallery.html?state=…&theme=…&locale=….
import "../src/styles/tokens.css";
import "../src/styles/base.css";
import "../src/styles/print.css";
import { createRoot } from "react-dom/client";
import { App } from "../src/app/app.tsx";
import { setLocale } from "../src/i18n/i18n.ts";
import { openGalleryPage } from "./gallery-page.ts";
import { galleryState, galleryStates } from "./gallery-states.ts";

const query = new URLSearchParams(window.location.search);
const name = query.get("state") ?? "session";
const state = galleryState(name);
if (state === undefined) throw new Error(`no state ${name}; there are: ${galleryStates().join(", ")}`);

const theme = query.get("theme") === "dark" ? "dark" : "light";
const locale = query.get("locale") === "zh_CN" ? "zh_CN" : "en_US";
const { engine, browser } = await openGalleryPage(state, { theme, locale });
await setLocale(locale);
window.history.replaceState(null, "", state.path);
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root");
createRoot(root).render(<App engine={engine} browser={browser} />);
