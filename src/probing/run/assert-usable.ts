import { RuntimeError } from '../ports.ts'

/** What can say whether the sandbox that the user asked for works here. */
type Usable = {
  readonly sandbox: { fault(): Promise<(Error & { readonly remedy: string }) | null> }
}

/** @throws RuntimeError when it does not: nothing is started without it, and nothing is said of the card */
export async function assertUsable({ sandbox }: Usable): Promise<void> {
  const fault = await sandbox.fault()
  if (fault !== null) throw new RuntimeError(fault.message, fault.remedy, { cause: fault })
}
