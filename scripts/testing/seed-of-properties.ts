// Where the properties of fast-check begin: at one seed in `npm test`, at a new one in `npm run test:long`. See decision 0067.
import fc from "fast-check";

const given = process.env["PLUMB_SEED"];
const seed = given === undefined ? (process.env["TEST_LONG"] === "1" ? undefined : 1) : Number(given);

if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
