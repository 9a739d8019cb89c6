import type { Launch } from '../../probing/ports.ts'
import type { Allowance, GrantedSandbox } from '../../probing/settings/grants.ts'
import type { Audition } from '../audition.ts'
import { takesSandbox } from '../runtimes.ts'

/** The grants of a program in a sandbox. What else they hold, such as servers, is started as the settings say for all. */
export const inSandbox = (grants: readonly Allowance[], chosen: GrantedSandbox): readonly Allowance[] =>
  grants.map((one) => (typeof one === 'string' || !takesSandbox(one.permit) ? one : { ...one, ...chosen }))

/**
 * The sandbox that a command gets with its permit: the one that works here, where the settings choose none for all programs and the
 * user does not say otherwise.
 */
export async function sandboxFor(
  launch: Pick<Launch, 'permit'> | null,
  { sandbox = true, network = false }: { readonly sandbox?: boolean; readonly network?: boolean },
  app: Pick<Audition, 'containment'>,
): Promise<GrantedSandbox> {
  if (!sandbox || launch === null || !takesSandbox(launch.permit)) return {}
  const { available } = await app.containment()
  return available === undefined ? {} : { sandbox: available, ...(network ? { network } : {}) }
}
