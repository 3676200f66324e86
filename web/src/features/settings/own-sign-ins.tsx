import { useOwnAccount } from "../../hooks/use-own-account.ts";
import { SignInList, SignInsFailed } from "./sign-in-list.tsx";

/** The list of sign-ins, once its code is here. */
export function OwnSignIns() {
  const { part, failed, retry } = useOwnAccount();
  if (failed) return <SignInsFailed retry={retry} />;
  return part === null ? null : <SignInList signIns={part.signIns} />;
}
