import "../../web/src/styles/tokens.css";
import { EnglishMarkdown } from "../../web/src/markdown/testing/english-markdown.tsx";
import { mount } from "./delivery.tsx";

mount(EnglishMarkdown);
