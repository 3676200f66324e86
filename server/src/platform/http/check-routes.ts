// A route that does not say how it is guarded does not start.
import { answerKindsOf, type RateClass, type Route } from "./route.ts";

const rateClasses: Record<RateClass, true> = {
  none: true,
  public: true,
  guest: true,
  code: true,
  login: true,
  api: true,
  chat: true,
  repeat: true,
  upload: true,
  share: true,
  export: true,
  delete: true,
};

/** Throws with every route whose policy is missing or contradicts its call. */
export function checkRoutes(routes: readonly Route[]): void {
  const seen = new Set<string>();
  const problems = routes.flatMap((route) => {
    const name = `${route.call.method} ${route.call.path}`;
    const own = problemsOf(route);
    if (seen.has(name)) own.push("is there twice");
    seen.add(name);
    return own.map((problem) => `${name} ${problem}`);
  });
  if (problems.length > 0) throw new Error(`Routes that cannot be served: ${problems.join("; ")}`);
}

function problemsOf({ call, policy }: Route): string[] {
  // Routes are typed, but a missing policy must not start even where the types were cast away.
  const given = policy as Partial<Route["policy"]> | undefined;
  if (given === undefined) return ["has no policy"];
  const problems: string[] = [];
  if (given.rate === undefined || !Object.hasOwn(rateClasses, given.rate))
    problems.push("has no known rate class");
  if (given.accountStatus !== "any" && given.accountStatus !== "speaking")
    problems.push("has no known account status");
  if (given.accountStatus === "speaking" && call.auth !== "bearer")
    problems.push("asks for an account status without an account");
  if (call.proof.startsWith("user:") && call.auth !== "bearer")
    problems.push("asks for a user's proof without an account");
  if (call.answers === "stream" && given.accountStatus === "speaking" && given.muted === undefined) {
    problems.push("does not say what a muted account is answered");
  }
  const kinds = answerKindsOf({ call, policy } as Route);
  if (call.answers === "stream" && !kinds.includes("event-stream")) problems.push("answers with no stream");
  if (kinds.includes("large-json") && (call.answers === "account" || call.repeatedKeys.length > 0)) {
    problems.push("repeats parts of an answer that is never whole in memory");
  }
  return problems;
}
