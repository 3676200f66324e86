/** The plumb bob. One path, one colour: that of the text around it. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d="M11.2 0h1.6v5.4h1.5c.6 0 1.1.5 1.1 1.1v1.7h1.3c1.2 0 2.1 1.1 1.8 2.3l-1 4.3c-.1.4-.2.7-.4 1L12 24l-5.1-8.2c-.2-.3-.3-.6-.4-1l-1-4.3c-.3-1.2.6-2.3 1.8-2.3h1.3V6.5c0-.6.5-1.1 1.1-1.1h1.5z" />
    </svg>
  );
}
