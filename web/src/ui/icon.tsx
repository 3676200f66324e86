// The line icons, drawn on a grid of 24 with one stroke. Decorative: the control that holds one carries the name.
const paths = {
  alert:
    "M12 8.5v4.5M12 16.5v.01M10.4 4.2 2.9 17.3A1.85 1.85 0 0 0 4.5 20h15a1.85 1.85 0 0 0 1.6-2.7L13.6 4.2a1.85 1.85 0 0 0-3.2 0Z",
  arrowDown: "M12 5v14M6 13l6 6 6-6",
  arrowUp: "M12 19V5M6 11l6-6 6 6",
  attach:
    "M20 11.3l-8.2 8.2a5 5 0 0 1-7.1-7.1l8.6-8.6a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.9-7.9",
  chat: "M4 5h16v12h-8l-4 3.5V17H4Z",
  check: "m5 12.5 4.5 4.5L19 7.5",
  chevronDown: "m6 9.5 6 6 6-6",
  chevronLeft: "m14.5 6-6 6 6 6",
  chevronRight: "m9.5 6 6 6-6 6",
  close: "M6 6l12 12M18 6 6 18",
  code: "m8 7-5 5 5 5M16 7l5 5-5 5",
  copy: "M9 9h9a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2ZM4 15V5a2 2 0 0 1 2-2h9",
  diagram: "M4 4h7v5H4ZM13 15h7v5h-7ZM7.5 9v8.5H13",
  dislike:
    "M7 14V4.5h9.3a2 2 0 0 1 2 1.7l1.1 6.5a2 2 0 0 1-2 2.3H13l.8 3.6a1.6 1.6 0 0 1-3 1.1L7 14ZM7 14H4.5a.5.5 0 0 1-.5-.5V5a.5.5 0 0 1 .5-.5H7",
  dots: "M5.5 12h.01M12 12h.01M18.5 12h.01",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  eyeOff:
    "M4 4l16 16M9.9 5.7A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-3 3.7M6.5 7.5A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.3-1.1M9.9 9.9a3 3 0 0 0 4.2 4.2",
  globe:
    "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c2.4 2.6 3.6 5.6 3.6 9S14.4 18.4 12 21c-2.4-2.6-3.6-5.6-3.6-9S9.6 5.6 12 3Z",
  help: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8M12 16.8v.01",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.5M12 7.5v.01",
  keyboard:
    "M4 6h16a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 20 18H4a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 4 6ZM6.5 10h.01M10 10h.01M14 10h.01M17.5 10h.01M8 14.5h8",
  like: "M7 10v9.5h9.3a2 2 0 0 0 2-1.7l1.1-6.5a2 2 0 0 0-2-2.3H13l.8-3.6a1.6 1.6 0 0 0-3-1.1L7 10ZM7 10H4.5a.5.5 0 0 0-.5.5v8.5a.5.5 0 0 0 .5.5H7",
  logout: "M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4M10 16l-4-4 4-4M6 12h10",
  menu: "M4 7h16M4 12h16M4 17h10",
  minus: "M5 12h14",
  model: "M12 3 20 7.5v9L12 21 4 16.5v-9ZM12 12l8-4.5M12 12v9M12 12 4 7.5",
  newChat:
    "M12 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-6M10 14l.5-3L18 3.5a1.77 1.77 0 0 1 2.5 2.5L13 13.5 10 14Z",
  panel:
    "M5 4.5h14A1.5 1.5 0 0 1 20.5 6v12a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18V6A1.5 1.5 0 0 1 5 4.5ZM9.5 4.5v15",
  pencil: "M4 20l.8-4L16.5 4.3a2 2 0 0 1 2.9 0l.3.3a2 2 0 0 1 0 2.9L8 19.2 4 20ZM14.5 6.5l3 3",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20c.6-3.6 3.6-5.5 7.5-5.5s6.9 1.9 7.5 5.5",
  play: "M8 5.5v13l10.5-6.5Z",
  plus: "M5 12h14M12 5v14",
  pin: "M9 3.5h6l-.7 6 3.2 3v2h-11v-2l3.2-3-.7-6ZM12 14.5v6",
  retry: "M20 11a8 8 0 1 0-1.5 5.7M20 4.5V11h-6.5",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l4.5 4.5",
  settings:
    "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM10.2 3.5h3.6l.5 2.4 1.6.9 2.3-.8 1.8 3.1-1.8 1.6v1.9l1.8 1.6-1.8 3.1-2.3-.8-1.6.9-.5 2.4h-3.6l-.5-2.4-1.6-.9-2.3.8L4 14.2l1.8-1.6v-1.9L4 9.1 5.8 6l2.3.8 1.6-.9.5-2.4Z",
  success: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8 12.3l2.8 2.7L16 9.5",
  think: "M9.5 18h5M10 21h4M8.5 15.2a6 6 0 1 1 7 0c-.6.5-1 1.1-1 1.8v1h-5v-1c0-.7-.4-1.3-1-1.8Z",
  trash:
    "M4 6.5h16M9.5 6V4.5A1.5 1.5 0 0 1 11 3h2a1.5 1.5 0 0 1 1.5 1.5V6M6 6.5l.8 12.6A2 2 0 0 0 8.8 21h6.4a2 2 0 0 0 2-1.9L18 6.5M10 10.5v6M14 10.5v6",
  unpin: "M9 3.5h6l-.7 6 3.2 3v2h-3M12 14.5v6M9.6 8.2l.1 1.3-3.2 3v2h6.6M4 4l16 16",
} as const;

export type IconName = keyof typeof paths;

/** `small` is 16 px, else 18. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  const size = small ? 16 : 18;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "dots" ? 2.6 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
