// Every npm script comes through here. Runs on Node 18 and later and brings Node 24 for everything else.
import { isEnding, run } from "./children.mjs";
import { Failure, reasonIn } from "./failure.mjs";
import { ensurePackages } from "./packages.mjs";
import { compileCache, inProject, root } from "./paths.mjs";
import { runBench } from "./run-bench.mjs";
import { runCheckCommand, runJourneyCommand, runTestCommand } from "./run-tests.mjs";
import { ensureRuntime } from "./runtime.mjs";
import { printSpecCoverage } from "./spec-coverage.mjs";
import { startDevelopment, startServer } from "./start-server.mjs";
import { ensureWebBuild } from "./web-build.mjs";

async function build(runtime) {
  await ensurePackages(runtime, "serve");
  await ensureWebBuild(runtime, { force: true });
  return 0;
}

async function operate(runtime, parameters) {
  await ensurePackages(runtime, "serve");
  const program = inProject("server", "src", "operator.ts");
  const env = { ...runtime.env, NODE_COMPILE_CACHE: compileCache };
  const { status } = await run(runtime.node, [program, ...parameters], { cwd: root, env });
  return status;
}

/** Each takes the runtime and the words after `--`, and answers with the exit status. */
const commands = {
  start: startServer,
  dev: startDevelopment,
  check: runCheckCommand,
  test: (runtime) => runTestCommand(runtime),
  "test:long": (runtime) => runTestCommand(runtime, { long: true }),
  e2e: runJourneyCommand,
  screens: (runtime, parameters) =>
    runJourneyCommand(runtime, ["--config", "screens.config.ts", ...parameters]),
  bench: runBench,
  build,
  "coverage:spec": () => printSpecCoverage(),
  operator: operate,
};

async function main([name, ...parameters]) {
  const command = commands[name];
  if (command === undefined) throw new Failure(`Usage: npm run ${Object.keys(commands).join(" | ")}`);
  return command(await ensureRuntime(), parameters);
}

/** A sentence for what the user can mend, the whole error for a bug. */
function explain(error) {
  if (error instanceof Failure) return error.message;
  return (
    (typeof error?.code === "string" ? reasonIn(error.code) : undefined) ?? error?.stack ?? String(error)
  );
}

main(process.argv.slice(2)).then(
  (status) => process.exit(status),
  (error) => {
    if (!isEnding()) process.stderr.write(`${explain(error)}\n`);
    process.exit(error instanceof Failure ? error.status : 1);
  },
);
