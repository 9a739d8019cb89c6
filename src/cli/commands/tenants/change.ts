import type { ShownToken } from '../../../compose/tenants/change-tenant.ts'
import { countOf } from '../../../domain/text/count-of.ts'
import { quotaFields, quotaNames, quotaOf, type QuotaName, type SetQuota } from '../../../tenants/quota.ts'
import { isSure } from '../../ask/ask.ts'
import { type CommandOption, defineCommand, flag, text, unless, whole } from '../../command.ts'
import type { Context } from '../../context.ts'
import { exitCodes, UsageError } from '../../errors.ts'
import type { TenantsPlace } from '../../../compose/tenants/tenant-config.ts'
import type { Config } from '../../../config.ts'

/** Where the tenants are. */
export const base = text(
  '--base <base>',
  'folder or address that holds their stores (default: AUDITION_TENANTS)',
)
/** How long a token holds. */
const days = whole('--days <days>', 'days that the token holds (default: until it is revoked)', [1, 3650])

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

const name = { syntax: '<name>', description: 'its name: small letters, digits and dashes' }
const json = flag('--json', 'print it as JSON')

/** An option for each bound. */
const quotaOptions = Object.fromEntries(
  quotaNames.map((one) => {
    const { least, most, byDefault, says } = quotaFields[one]
    return [one, whole(`--${one} <count>`, `${says} (default: ${byDefault})`, [least, most])]
  }),
) as { readonly [one in QuotaName]: CommandOption<number | undefined> }

const setIn = (flags: SetQuota): SetQuota =>
  Object.fromEntries(quotaNames.flatMap((one) => (flags[one] === undefined ? [] : [[one, flags[one]]])))

/** `audition tenants add`. */
export const addCommand = defineCommand({
  description: [
    'Adds a tenant: a store of its own under the base, settings that start nothing, and a token, which is printed once and',
    'kept as a hash alone. Servers that run take it in at once. Fill the store as any other, with AUDITION_TENANTS and',
    'AUDITION_TENANT set.',
  ].join(' '),
  arguments: [name],
  options: {
    base,
    ...quotaOptions,
    days,
    token: unless('--no-token', 'make no token: an authorization server gives them out'),
    json,
  },
  examples: [
    { line: 'audition tenants add acme --base /srv/audition', does: 'prints its token' },
    {
      line: 'AUDITION_TENANTS=/srv/audition AUDITION_TENANT=acme audition index ./acme',
      does: 'fills its store',
    },
  ],
  async run({ words: [wanted = ''], flags }, context) {
    const { config, place } = await placeOf(flags, context)
    const { addTenant } = await import('../../../compose/tenants/change-tenant.ts')
    const token = flags.token ? { days: flags.days } : null
    const added = await addTenant(config, place, { name: wanted, quota: setIn(flags), token })
    if (flags.json) context.printJson({ tenant: wanted, ...added })
    else {
      context.log(
        `Added ${wanted}. Its store: ${added.store}`,
        `What it may start: nothing (${added.settings})`,
      )
      printToken(added.token, context)
    }
    return exitCodes.done
  },
})

/** Alone on standard output, so that a script can take it. */
function printToken(token: ShownToken | null, context: Context): void {
  if (token === null) return
  const ends = token.expiresAt === undefined ? '' : ` It ends ${token.expiresAt}.`
  context.log(`Token ${token.id}, shown this once.${ends}`)
  context.print(token.token)
}

/** `audition tenants token`. */
export const tokenCommand = defineCommand({
  description:
    'Makes one more token of a tenant and prints it once, or revokes one. Servers that run see it at once.',
  arguments: [name],
  options: {
    base,
    days,
    revoke: text('--revoke <id>', 'id of a token, or all: make none, and take this one back'),
    json,
  },
  examples: [
    { line: 'audition tenants token acme --days 90', does: 'a token for three months' },
    { line: 'audition tenants token acme --revoke 3f2a9c1b', does: 'the token of this id holds no more' },
  ],
  async run({ words: [of = ''], flags: { revoke, ...flags } }, context) {
    const { place } = await placeOf(flags, context)
    const { addToken, changeTenant } = await import('../../../compose/tenants/change-tenant.ts')
    if (revoke === undefined) {
      const token = await addToken(place, of, flags)
      if (flags.json) context.printJson({ tenant: of, token })
      else printToken(token, context)
      return exitCodes.done
    }
    const revoked: string[] = []
    await changeTenant(place, of, (tenant) => {
      const isMeant = ({ id }: { readonly id: string }): boolean => revoke === 'all' || id === revoke
      revoked.push(...tenant.tokens.filter(isMeant).map(({ id }) => id))
      if (revoked.length > 0 || revoke === 'all')
        return { ...tenant, tokens: tenant.tokens.filter((one) => !isMeant(one)) }
      const ids = tenant.tokens.map(({ id }) => id).join(', ') || 'none'
      throw new UsageError(`${of} has no token "${revoke}". It has: ${ids}.`)
    })
    if (flags.json) context.printJson({ tenant: of, revoked })
    else context.print(`Revoked ${countOf(revoked.length, 'token')} of ${of}.`)
    return exitCodes.done
  },
})

/** `audition tenants quota`. */
export const quotaCommand = defineCommand({
  description:
    'Shows what a tenant may use, or sets some of it. Servers that run go by it from the next request on.',
  arguments: [name],
  options: { base, ...quotaOptions, default: flag('--default', 'everything as it is by default'), json },
  examples: [
    { line: 'audition tenants quota acme', does: 'what it may use' },
    { line: 'audition tenants quota acme --requests 300 --jobs 0', does: 'fewer requests, and nothing run' },
  ],
  async run({ words: [of = ''], flags: { default: asDefault, ...flags } }, context) {
    const { place } = await placeOf(flags, context)
    const { changeTenant } = await import('../../../compose/tenants/change-tenant.ts')
    const set = setIn(flags)
    if (asDefault && Object.keys(set).length > 0)
      throw new UsageError('--default stands alone: it sets everything.')
    const changed = await changeTenant(place, of, (tenant) => ({
      ...tenant,
      quota: asDefault ? {} : { ...tenant.quota, ...set },
    }))
    const quota = quotaOf(changed.quota)
    if (flags.json) context.printJson({ tenant: of, quota })
    else context.print(...quotaNames.map((one) => `${one} ${quota[one]}: ${quotaFields[one].says}`))
    return exitCodes.done
  },
})

/** `audition tenants remove`. */
export const removeCommand = defineCommand({
  description: [
    'Removes a tenant and leaves nothing of it: its tokens hold no more, servers end what they run for it and close its',
    'store, and its cards, vectors, outcomes, transcripts, evaluations, caches and settings are deleted. In object storage',
    'its name stays in the file of tenants, so that replicas drop their caches; once more takes the name out as well.',
  ].join(' '),
  arguments: [name],
  options: { base, yes: flag('--yes', 'do not ask'), json },
  examples: [
    { line: 'audition tenants remove acme --base /srv/audition', does: 'asks, then deletes all of it' },
  ],
  async run({ words: [of = ''], flags }, context) {
    const { config, place } = await placeOf(flags, context)
    const [{ removeTenant }, { tenantConfig }] = await Promise.all([
      import('../../../compose/tenants/change-tenant.ts'),
      import('../../../compose/tenants/tenant-config.ts'),
    ])
    const { home } = tenantConfig(config, place, of)
    if (!flags.yes && !(await isSure(`Delete ${home} and all else of ${of}?`, 'remove it', context))) {
      context.print('Nothing was removed.')
      return exitCodes.done
    }
    const removed = await removeTenant(config, place, { name: of, signal: context.signal })
    if (flags.json) context.printJson(removed)
    else {
      context.print(`Removed ${of}.`, ...removed.places.map((one) => `Deleted: ${one}`))
      if (removed.isMarked)
        context.log(
          'Its name stays in the file of tenants until you remove it once more: replicas with a file of their own need it.',
        )
    }
    return exitCodes.done
  },
})
