// The settings, and what the account asks for, in one file: each alone is too small for a round trip.
export { AgeGate } from "./age-gate.tsx";
export { SettingsDialog } from "./settings-dialog.tsx";
