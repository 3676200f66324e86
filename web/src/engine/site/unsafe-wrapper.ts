/** Whether the page runs inside a desktop program that the operator warns of: parts of user agents, in any case of letters. */
export function isUnsafeWrapper(userAgent: string, agents: readonly string[]): boolean {
  const told = userAgent.toLowerCase();
  return agents.some((agent) => agent !== "" && told.includes(agent.toLowerCase()));
}
