// `engine.site`: the installation's settings, this browser's preferences, and what lies over or beside the page.
import type { StoreApi } from "zustand/vanilla";
import type { Locale } from "./locale.ts";
import type { NavigationState } from "./navigation.ts";
import type { NetworkState } from "./network-state.ts";
import type { OpenDialogs, OverlaysState, PanelContent } from "./overlays.ts";
import type { Preferences } from "./preferences.ts";
import type { SettingsState } from "./settings-store.ts";
import type { StreamEventsState } from "./stream-events.ts";
import type { Toast, ToastInput } from "./toast.ts";

export interface InstallationState {
  /** Installs the page as an app, or says how; null where it cannot be, or is already. */
  install: (() => void) | null;
}

export interface Site {
  settings: StoreApi<SettingsState>;
  /** Whether the browser has a network at all. */
  network: StoreApi<NetworkState>;
  preferences: StoreApi<Preferences>;
  /** The language of the screen and of the calls. */
  locale: StoreApi<{ locale: Locale }>;
  toasts: StoreApi<{ toasts: Toast[] }>;
  overlays: StoreApi<OverlaysState>;
  /** What the streams brought, with the flag enableEventsDisplay. */
  streamEvents: StoreApi<StreamEventsState>;
  navigation: StoreApi<NavigationState>;
  installation: StoreApi<InstallationState>;
  setPreferences(change: Partial<Preferences>): void;
  showToast(toast: ToastInput): void;
  dismissToast(id: number): void;
  setOverlays(change: Partial<OpenDialogs>): void;
  /** Shows something in the panel at the right side, instead of what it shows. */
  /** Gives back the number of the showing. */
  openPanel(content: PanelContent): number;
  /** More has come of what this showing shows; nothing where it is over. */
  updatePanel(id: number, content: PanelContent): void;
  closePanel(): void;
}
