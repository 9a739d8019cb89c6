import type { Launch } from '../../probing/ports.ts'
import { type GrantedSandbox, isCommand } from '../../probing/settings/grants.ts'
import type { Audition } from '../audition.ts'

/**
 * The sandbox that a command gets with its permit: the one that works here, where the settings choose none for all programs and the
 * user does not say otherwise.
 */
export async function sandboxFor(
  launch: Pick<Launch, 'permit'> | null,
  { sandbox = true, network = false }: { readonly sandbox?: boolean; readonly network?: boolean },
  app: Pick<Audition, 'containment'>,
): Promise<GrantedSandbox> {
  if (!sandbox || launch === null || !isCommand(launch)) return {}
  const { available } = await app.containment()
  return available === undefined ? {} : { sandbox: available, ...(network ? { network } : {}) }
}
