// Reads PDFs beside the page. Of old browsers, too: what they lack comes with it.
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
