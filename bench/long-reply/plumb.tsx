import "../../web/src/styles/tokens.css";
import { StreamingMarkdown } from "../../web/src/markdown/streaming-markdown.tsx";
import { mount } from "./delivery.tsx";

mount(StreamingMarkdown);
