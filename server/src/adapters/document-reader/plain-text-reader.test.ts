import { createPlainTextReader } from "./plain-text-reader.ts";
import { documentReaderContract } from "./document-reader-contract.ts";

documentReaderContract("plain text", createPlainTextReader);
