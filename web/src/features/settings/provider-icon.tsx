import styles from "./provider-icon.module.css";

/** The marks of those who vouch for a name, each in its own colours. */
const marks = {
  GOOGLE: [
    [
      "#4285f4",
      "M22.5 12.27c0-.79-.07-1.54-.2-2.27H12v4.51h5.89a5.03 5.03 0 0 1-2.18 3.3v2.74h3.53c2.07-1.9 3.26-4.7 3.26-8.28Z",
    ],
    [
      "#34a853",
      "M12 23c2.95 0 5.43-.98 7.24-2.65l-3.53-2.74c-.98.66-2.23 1.05-3.71 1.05-2.85 0-5.26-1.92-6.12-4.51H2.23v2.83A10.94 10.94 0 0 0 12 23Z",
    ],
    ["#fbbc05", "M5.88 14.15a6.58 6.58 0 0 1 0-4.2V7.12H2.23a10.94 10.94 0 0 0 0 9.86Z"],
    [
      "#ea4335",
      "M12 5.38c1.61 0 3.05.55 4.19 1.64l3.13-3.13A10.5 10.5 0 0 0 12 1.1 10.94 10.94 0 0 0 2.23 7.12l3.65 2.83C6.74 7.36 9.15 5.38 12 5.38Z",
    ],
  ],
  WECHAT: [
    [
      "#07c160",
      "M9.1 3.5C4.6 3.5 1 6.5 1 10.2c0 2.1 1.2 4 3 5.2l-.8 2.4 2.8-1.4c1 .3 2 .5 3.1.5h.8a5.6 5.6 0 0 1-.3-1.7c0-3.5 3.3-6.3 7.3-6.3h.8c-.8-3.1-4.2-5.4-8.6-5.400ZM6.4 7.100a1 1 0 1 1 0 2.1 1 1 0 0 1 0-2.100Zm5.4 0a1 1 0 1 1 0 2.1 1 1 0 0 1 0-2.100ZM23 15.100c0-3-3-5.4-6.3-5.4-3.6 0-6.4 2.4-6.4 5.400s2.8 5.4 6.4 5.400c.8 0 1.5-.1 2.2-.300l2 1.1-.6-1.900c1.6-1 2.7-2.5 2.7-4.300Zm-8.4-1a.8.8 0 1 1 0-1.7.8.8 0 0 1 0 1.700Zm4.1 0a.8.8 0 1 1 0-1.7.8.8 0 0 1 0 1.700Z",
    ],
  ],
} as const;

/** Tells by whom somebody signs in. */
export function ProviderIcon({ provider, label }: { provider: keyof typeof marks; label: string }) {
  return (
    <svg className={styles.icon} viewBox="0 0 24 24" role="img" aria-label={label}>
      {marks[provider].map(([fill, path]) => (
        <path key={fill} fill={fill} d={path} />
      ))}
    </svg>
  );
}
