import type { TenantsPlace } from '../../compose/tenants/tenant-config.ts'
import type { Config } from '../../config.ts'
import { quotaNames, quotaOf } from '../../tenants/quota.ts'
import type { Tenant } from '../../tenants/tenants-file.ts'
import { defineCommand, flag } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../errors.ts'
import { timeText } from '../render/text.ts'
import { addCommand, base, placeOf, quotaCommand, removeCommand, tokenCommand } from './tenants/change.ts'
import { left, right, tableOf } from '../render/table.ts'

const list = {
  options: { base, json: flag('--json', 'print them as JSON') },
  async run(
    { flags }: { readonly flags: { readonly base: string | undefined; readonly json: boolean } },
    context: Context,
  ) {
    const { config, place } = await placeOf(flags, context)
    const { readTenants } = await import('../../tenants/tenants-file.ts')
    const tenants = await readTenants(place.file)
    const views = await Promise.all([...tenants].map((one) => viewOf(one, config, place)))
    if (flags.json) context.printJson(views)
    else if (views.length === 0) context.print('No tenant was added yet.')
    else await printTable(views, context)
    return exitCodes.done
  },
}

const listCommand = defineCommand({
  ...list,
  description: 'Lists the tenants under a base, as `audition tenants` does.',
  examples: [{ line: 'audition tenants list --json', does: 'ids of tokens, quotas, and what each has' }],
})

/** `audition tenants`. */
export const command = defineCommand({
  ...list,
  description: [
    'Lists the tenants under a base: whom `audition serve --http --tenants <base>` serves apart, each from a store of its own.',
    'Tokens are kept as hashes alone.',
  ].join(' '),
  examples: [
    { line: 'audition tenants --base /srv/audition', does: 'every tenant, its tokens and its files' },
    { line: 'audition tenants add acme --base /srv/audition', does: 'one more, with a token' },
    { line: 'audition serve --http 7333 --tenants /srv/audition', does: 'serves all of them' },
    { line: 'audition tenants remove acme --base /srv/audition', does: 'deletes all of one' },
  ],
  subcommands: [
    { name: 'list', summary: 'list them', command: listCommand },
    { name: 'add', summary: 'add one, and print its token', command: addCommand },
    { name: 'token', summary: 'make one more token, or revoke one', command: tokenCommand },
    { name: 'quota', summary: 'show or set what one may use', command: quotaCommand },
    { name: 'remove', summary: 'delete one, and all that it has', command: removeCommand },
  ],
})

/** A tenant as it is listed: no hash of a token. */
async function viewOf([name, tenant]: readonly [string, Tenant], config: Config, place: TenantsPlace) {
  const [{ bytesIn }, { tenantConfig }, { isAddress }] = await Promise.all([
    import('../../compose/tenants/open-tenants.ts'),
    import('../../compose/tenants/tenant-config.ts'),
    import('../../config.ts'),
  ])
  const { home, cache } = tenantConfig(config, place, name)
  const { addedAt, removedAt, tokens, quota } = tenant
  return {
    name,
    addedAt,
    store: home,
    ...(removedAt === undefined ? {} : { removedAt }),
    megabytes: Math.round((await bytesIn(isAddress(home) ? cache : home)) / 1e5) / 10,
    tokens: tokens.map(({ sha256: _, ...token }) => token),
    quota: quotaOf(quota),
  }
}

async function printTable(
  views: readonly Awaited<ReturnType<typeof viewOf>>[],
  context: Context,
): Promise<void> {
  type View = (typeof views)[number]
  const { stdout } = context.terminal
  context.print(
    ...tableOf(views, stdout, [
      left('tenant', ({ name, removedAt }) => (removedAt === undefined ? name : `${name} (removed)`), {
        paint: stdout.paint.cyan,
      }),
      right('tokens', ({ tokens }) => tokens.length),
      right('MB', ({ megabytes }) => megabytes),
      ...quotaNames.map((one) => right<View>(one, ({ quota }) => quota[one])),
      left('added', ({ addedAt }) => timeText(addedAt)),
    ]),
  )
}
