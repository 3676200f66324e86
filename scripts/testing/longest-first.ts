// The order in which files of tests begin. Of two workers one would stand idle while the other does what takes longest, were
// that begun last.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** In `npm run test:long` each of these takes some forty minutes. */
const LONGEST = /\/model-based\/[^/]*\.test\.ts$/;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}
