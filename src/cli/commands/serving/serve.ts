import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Environment } from '../../../domain/environment.ts'
import type { Audition } from '../../../compose/audition.ts'
import { isAddress } from '../../../config.ts'
import { hostNames } from '../../../hosts/hosts.ts'
import { choice, defineCommand, flag, type Flags, portOr, text, texts, unless, whole } from '../../command.ts'
import { type Context, hostUser } from '../../context.ts'
import { type ExitCode, exitCodes, UsageError } from '../../errors.ts'
import type { TenantsToServe } from '../../../server/tenants/served-tenants.ts'
import type { Surrounded } from '../../../server/asking/asker.ts'
import { watch, watchingOptions } from './watching.ts'
import { defined } from '../../../domain/defined.ts'
import { aborted } from '../../../domain/bounds.ts'

const defaultPort = 7333
const defaultTokenVariable = 'AUDITION_TOKEN'
const defaultClaim = 'tenant'

const options = {
  for: choice(
    '--for <host>',
    'the host that asks, where it does not say so itself; `audition init` writes it',
    hostNames,
  ),
  call: flag(
    '--call',
    'let hosts call tools and run agents through Audition, as far as you allow (`audition allow`)',
  ),
  keepCalls: flag('--keep-calls', 'with --call: keep what tools give, for `audition simulate`'),
  watch: unless('--no-watch', 'do not look after the index: take in no changed files, ask no server again'),
  http: portOr(
    '--http [port]',
    `serve over HTTP (default port: ${defaultPort}; 0: any free one)`,
    defaultPort,
  ),
  host: text('--host <address>', 'with --http: address to listen on (default: 127.0.0.1)'),
  tokenEnv: text(
    '--token-env <name>',
    `with --http: the environment variable that holds the token (default: ${defaultTokenVariable})`,
  ),
  allowOrigin: texts('--allow-origin <origin>', 'with --http: web origin whose pages may call'),
  allowHost: texts('--allow-host <name>', 'with --http: name by which clients may address the server'),
  publicUrl: text('--public-url <url>', 'with --http: https address at which clients reach the server'),
  authorizationServer: text(
    '--authorization-server <issuer>',
    'with --public-url: issuer whose access tokens (OAuth 2.1, JWT) are accepted, in place of a token',
  ),
  tenants: text(
    '--tenants <base>',
    'with --http: serve each caller from the store of its tenant under this folder or address (`audition tenants`)',
  ),
  tenantClaim: text(
    '--tenant-claim <claim>',
    `with --tenants and an authorization server: claim of access tokens that names the tenant (default: ${defaultClaim})`,
  ),
  openTenants: whole(
    '--open-tenants <count>',
    'with --tenants: stores open at once (default: 32)',
    [1, 10_000],
  ),
  rate: whole(
    '--rate <requests>',
    'with --http: requests a minute of one caller, 0 for any number (default: 600 where other machines can call, else 0)',
    [0, 1_000_000],
  ),
  maxRequests: whole(
    '--max-requests <count>',
    'with --http: requests open at once (default: 512)',
    [1, 10_000],
  ),
  share: texts(
    '--share <source>',
    'with --http: let anyone who reaches the server find this source, without a token: /.well-known/ai-catalog.json, /search',
  ),
  ...watchingOptions,
}

/** `audition serve`. */
export const command = defineCommand({
  description: [
    'Serves search to AI hosts over the Model Context Protocol: over standard input and output (hosts start it that',
    'way; see `audition init`), or over HTTP at /mcp. An address that other machines reach needs a token, which',
    'callers send as "Authorization: Bearer <token>"; it is read from the environment only. With an authorization',
    'server, callers send its access tokens instead. Ctrl-C ends the server with exit code 0.',
    'Meanwhile it takes in what changes in the files and folders that were indexed, and asks MCP servers again that were',
    'started before and whose listing is older than a day; an index in object storage is left as it is.',
  ].join(' '),
  options,
  examples: [
    { line: 'audition serve', does: 'for a host that starts it' },
    { line: 'audition serve --http', does: `http://127.0.0.1:${defaultPort}/mcp for this machine` },
    {
      line: 'AUDITION_TOKEN=... audition serve --http 8080 --host 0.0.0.0',
      does: 'for others who have the token',
    },
    {
      line: 'audition serve --http --public-url <url> --authorization-server <issuer>',
      does: 'behind a proxy, for whoever logs in there',
    },
    {
      line: 'audition serve --http 7333 --tenants /srv/audition',
      does: 'several tenants, each with its store and its tokens',
    },
  ],
  async run({ flags }, context) {
    if (flags.keepCalls && !flags.call) throw new UsageError('--keep-calls goes with --call.')
    return flags.http === undefined ? overStdio(flags, context) : overHttp(flags.http, flags, context)
  },
})

type ServeFlags = Flags<typeof options>

async function overStdio(flags: ServeFlags, context: Context): Promise<ExitCode> {
  const { http: _http, watch: _watch, for: _for, call: _call, keepCalls: _keepCalls, ...others } = flags
  const { otlp: _otlp, logFormat: _logFormat, ...ofHttp } = others
  const isGiven = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value !== undefined)
  if (Object.values(ofHttp).some(isGiven)) {
    throw new UsageError(
      '--http is missing: every option but --for, --call, --keep-calls, --no-watch, --otlp and --log-format goes with it.',
    )
  }
  const [{ serveStdio }, audition] = await Promise.all([
    import('../../../server/serve-stdio.ts'),
    servedAudition(flags, context),
  ])
  if (context.terminal.stdin.isTTY === true) {
    context.log(
      'Speaking MCP over standard input and output; AI hosts start this (`audition init`). Ctrl-C stops it.',
    )
  }
  const watched = await watch(flags, context, { audition })
  await serveStdio(watched.audition, {
    watches: watches(flags, context),
    surrounded: surroundedBy(flags, context, context.terminal.cwd),
  })
  await watched.close()
  return exitCodes.done
}

/** Many callers may search at once: a thread for each processor, as far as memory is no matter. */
const mostThreads = 4

async function servedAudition({ keepCalls, http }: ServeFlags, context: Context): Promise<Audition> {
  const threads = http === undefined ? 1 : Math.min(mostThreads, availableParallelism())
  const audition = await context.audition({ AUDITION_THREADS: String(threads) })
  return keepCalls ? { ...audition, calling: audition.keptCalling } : audition
}

async function overHttp(port: number, flags: ServeFlags, context: Context): Promise<ExitCode> {
  const token = tokenOf(flags.tokenEnv, context.env)
  const [{ serveHttp }, audition, tenants] = await Promise.all([
    import('../../../server/serve-http.ts'),
    servedAudition(flags, context),
    servedTenants(flags, context),
  ])
  await assertShareable(flags.share, audition)
  const watched = await watch(flags, context, { audition, ...(tenants && { ready: tenants.current }) })
  const serving = await serveHttp(watched.audition, {
    port,
    watches: tenants === undefined && watches(flags, context),
    ...(tenants === undefined ? { surrounded: surroundedBy(flags, context, null) } : {}),
    ...(tenants && { tenants: { ...tenants, open: (name) => watched.also(tenants.open(name)) } }),
    ...defined({
      token,
      host: flags.host,
      publicUrl: flags.publicUrl,
      metrics: watched.metrics ?? undefined,
      authorizationServer: flags.authorizationServer,
      requestsPerMinute: flags.rate,
      mostRequests: flags.maxRequests,
      allowedHosts: flags.allowHost.length === 0 ? undefined : flags.allowHost,
    }),
    allowedOrigins: flags.allowOrigin,
    share: flags.share,
  })
  const proof =
    flags.authorizationServer !== undefined
      ? ' (access token required)'
      : tenants !== undefined
        ? ' (token of a tenant required)'
        : token !== undefined
          ? ' (token required)'
          : ''
  watched.log(`Serving MCP at ${serving.url}${proof}. Ctrl-C stops it.`)
  await aborted(context.signal)
  watched.log('Stopping.')
  await serving.close()
  await watched.close()
  return exitCodes.done
}

/** @throws UsageError when only half of it is said; TenantsError */
async function servedTenants(
  { tenants: base, tenantClaim, openTenants: mostOpen = 32, call, keepCalls, metrics, share }: ServeFlags,
  { env, terminal }: Context,
): Promise<TenantsToServe | undefined> {
  if (base === undefined && tenantClaim !== undefined)
    throw new UsageError('--tenant-claim goes with --tenants.')
  if (base === undefined) return undefined
  if (share.length > 0)
    throw new UsageError('--share is of one store, and --tenants serves several. Give one of them.')
  if (metrics === '')
    throw new UsageError(
      'With --tenants, --metrics wants an address of its own: callers of a tenant must not read it.',
    )
  const [{ configFrom }, { openTenants }] = await Promise.all([
    import('../../../config.ts'),
    import('../../../compose/tenants/open-tenants.ts'),
  ])
  const at = isAddress(base) ? base : resolve(terminal.cwd, base)
  const opening = openTenants(configFrom({ ...env }), at, { calls: call, keepsCalls: keepCalls })
  return { claim: tenantClaim ?? defaultClaim, mostOpen, ...opening }
}

/** @param cwd - null for callers who come by the network */
const surroundedBy = (flags: ServeFlags, context: Context, cwd: string | null): Surrounded => ({
  ...defined({ hostName: flags.for }),
  user: hostUser(context),
  cwd,
  calls: flags.call,
})

/** The files of an index that several machines share lie on another one. */
export const watches = ({ watch }: Pick<ServeFlags, 'watch'>, { env }: Context): boolean =>
  watch && !isAddress(env.AUDITION_HOME ?? '')

/** @throws UsageError when a variable was named that holds nothing */
function tokenOf(variable: string | undefined, env: Environment): string | undefined {
  const token = env[variable ?? defaultTokenVariable]
  if (token !== undefined && token !== '') return token
  if (variable === undefined) return undefined
  throw new UsageError(
    `The environment variable ${variable} is not set. Set it to the token, or leave out --token-env.`,
  )
}

/** @throws UsageError for a source that is not there: a slip of the pen would share nothing, and say nothing */
async function assertShareable(share: readonly string[], audition: Audition): Promise<void> {
  if (share.length === 0) return
  const known = (await audition.sources()).map(({ id }) => id)
  const unknown = share.find((source) => !known.includes(source))
  if (unknown !== undefined)
    throw new UsageError(
      `--share ${unknown}: there is no such source. Sources: ${known.join(', ')}. \`audition index\` adds one.`,
    )
}
