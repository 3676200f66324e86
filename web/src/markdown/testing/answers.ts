import english from "./answers-en.txt?raw";
import chinese from "./answers-zh.txt?raw";

/** Answers as assistants write them, in English and Chinese. */
export const answers: readonly string[] = [english, chinese].flatMap((text) => text.split("%%%\n"));
