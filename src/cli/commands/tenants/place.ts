import type { TenantsPlace } from '../../../compose/tenants/tenant-config.ts'
import type { Config } from '../../../config.ts'
import { text, whole } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'

/** Where the tenants are. */
export const base = text(
  '--base <base>',
  'folder or address that holds their stores (default: AUDITION_TENANTS)',
)
/** How long a token holds. */
export const days = whole(
  '--days <days>',
  'days that the token holds (default: until it is revoked)',
  [1, 3650],
)

/** The tenants that a command means. @throws UsageError when nothing says which */
export async function placeOf(
  { base: given }: { readonly base: string | undefined },
  { env, terminal }: Context,
): Promise<{ readonly config: Config; readonly place: TenantsPlace }> {
  const [{ configFrom, isAddress }, { tenantsPlace }, { resolve }] = await Promise.all([
    import('../../../config.ts'),
    import('../../../compose/tenants/tenant-config.ts'),
    import('node:path'),
  ])
  const named = given ?? env.AUDITION_TENANTS
  if (!named)
    throw new UsageError('Say where the tenants are: --base <folder or address>, or AUDITION_TENANTS.')
  const config = configFrom({ ...env })
  return { config, place: tenantsPlace(isAddress(named) ? named : resolve(terminal.cwd, named), config) }
}
