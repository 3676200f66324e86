// A PDF of three pages, for looking at.

const words = (page: number): string =>
  [
    `BT /F1 24 Tf 72 740 Td (Harvest report, page ${page}) Tj ET`,
    ...Array.from(
      { length: 30 },
      (_, at) =>
        `BT /F1 11 Tf 72 ${700 - at * 18} Td (Line ${at + 1}: the oats of May were sown late.) Tj ET`,
    ),
  ].join("\n");

const pages = [1, 2, 3];
const objects = [
  "<< /Type /Catalog /Pages 2 0 R >>",
  `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((page) => `${2 + page * 2} 0 R`).join(" ")}] >>`,
  "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ...pages.flatMap((page) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${3 + page * 2} 0 R >>`,
    `<< /Length ${words(page).length} >>\nstream\n${words(page)}\nendstream`,
  ]),
];

function written(): string {
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}

export const pdfText = written();
