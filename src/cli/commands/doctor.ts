import { runtimeSettings } from '../../compose/runtimes.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'
import { defineCommand, flag, number } from '../command.ts'
import type { Context } from '../context.ts'
import type { Check, Diagnosis, Thoroughness } from '../doctor/check.ts'
import { type RepairReport, repair } from '../doctor/repair.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { damage, keptSecrets, model, sources, store, writers } from '../doctor/store.ts'
import { auditionInHosts } from '../doctor/audition-in-hosts.ts'
import { hostConfigs, launches, mcpServers } from '../doctor/hosts.ts'
import { chooseSandbox } from '../render/permit-lines.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'

/** `audition doctor`. */
export const command = defineCommand({
  description: [
    'Checks the installation and says what to mend: Node.js, the store and its models, settings, sources that failed,',
    'the configurations of your AI hosts, whether Audition answers as each of them starts it, and (with --servers)',
    'whether every MCP server starts. Changes nothing (a store in object storage is tried with objects that are',
    'removed again), unless --repair is given: then it mends the store first, from the cards that can be read, their',
    'sources and the transcripts, and keeps what is damaged in a folder beside. Ends with 1 when a check fails or',
    'something could not be mended; warnings do not count.',
  ].join(' '),
  options: {
    servers: flag('--servers', 'start every configured MCP server to see if it answers'),
    timeout: number('--timeout <seconds>', 'longest wait for one MCP server (default: 30)', [0.1, 3600]),
    repair: flag(
      '--repair',
      'mend what can be mended of the store; asks first (without a terminal: add --yes)',
    ),
    dryRun: flag('--dry-run', 'with --repair: say what it would do, change nothing'),
    yes: flag('-y, --yes', 'with --repair: do not ask'),
    json: flag('--json', 'print the findings as JSON'),
  },
  examples: [
    { line: 'audition doctor', does: 'is everything in order?' },
    { line: 'audition doctor --servers --timeout 10', does: 'and does every MCP server start?' },
    { line: 'audition doctor --repair --dry-run', does: 'what is damaged, and what could be done' },
    { line: 'audition doctor --repair', does: 'mend the store' },
  ],
  async run({ flags }, context) {
    if ((flags.dryRun || flags.yes) && !flags.repair)
      throw new UsageError('--dry-run and --yes go with --repair: without it nothing is changed.')
    const repaired = flags.repair ? await repairFirst(flags, context) : undefined
    const thoroughness = { servers: flags.servers, timeoutMs: Math.round((flags.timeout ?? 30) * 1000) }
    const findings: ReportedFinding[] = []
    for (const check of doctorChecks) {
      const seen = (await findingsOf(check, context, thoroughness)).map((one) => ({
        check: check.name,
        ...one,
      }))
      findings.push(...seen)
      if (!flags.json) context.print(...seen.flatMap((one) => findingLines(one, context)))
    }
    const failed = findings.filter(({ state }) => state === 'fail').length
    const warned = findings.filter(({ state }) => state === 'warn').length
    const isWell = failed === 0 && (repaired?.remaining ?? []).length === 0
    if (flags.json)
      context.printJson({ ok: isWell, ...(repaired === undefined ? {} : { repair: repaired }), findings })
    else context.print('', summary(failed, warned))
    return isWell ? exitCodes.done : exitCodes.failed
  },
})

async function repairFirst(
  { dryRun, yes, json }: { readonly dryRun: boolean; readonly yes: boolean; readonly json: boolean },
  context: Context,
): Promise<RepairReport> {
  return repair(context, { dryRun, yes, quiet: json })
}

type ReportedFinding = Diagnosis & { readonly check: string }

async function findingsOf(
  check: Check,
  context: Context,
  thoroughness: Thoroughness,
): Promise<readonly Diagnosis[]> {
  try {
    return await check.run(context, thoroughness)
  } catch (error) {
    if (context.signal.aborted) throw error
    const message = error instanceof Error ? error.message : String(error)
    const remedy = RemedyError.isInstance(error) ? error.remedy : 'AUDITION_DEBUG=1 shows where it happened.'
    return [{ state: 'fail', message, remedy }]
  }
}

function findingLines(
  { check, state, message, remedy, output }: ReportedFinding,
  { terminal }: Context,
): readonly string[] {
  const { paint } = terminal.stdout
  const colour = { ok: paint.green, warn: paint.yellow, fail: paint.red }[state]
  const line = `${colour(state.padEnd(4))}  ${check}: ${printableLine(message)}`
  const below = [
    ...(output === undefined
      ? []
      : [
          'It printed:',
          ...printable(output)
            .split('\n')
            .map((one) => `  ${one}`),
        ]),
    ...(remedy === undefined ? [] : [printable(remedy)]),
  ]
  return [line, ...below.map((one) => paint.dim(`      ${one}`))]
}

function summary(failed: number, warned: number): string {
  if (failed + warned === 0) return 'Everything is in order.'
  const parts = [
    ...(failed > 0 ? [failed === 1 ? '1 check failed' : `${failed} checks failed`] : []),
    ...(warned > 0 ? [warned === 1 ? '1 warning' : `${warned} warnings`] : []),
  ]
  return `${parts.join(', ')}.`
}

/** The oldest Node.js that the package runs on; `engines` in package.json says the same. */
const leastMajor = 20

/** Whether this Node.js is new enough. */
const nodeVersion: Check = {
  name: 'node',
  run: async () => [judgeVersion(process.versions.node)],
}

/** @param version - as Node.js states it, for example `20.20.2` */
export const judgeVersion = (version: string): Diagnosis =>
  Number.parseInt(version, 10) >= leastMajor
    ? { state: 'ok', message: `Node.js ${version}` }
    : {
        state: 'fail',
        message: `Node.js ${version} is too old`,
        remedy: `Install Node.js ${leastMajor} or newer.`,
      }

/** Whether the setting names a language model; no word when none is configured. Nothing is asked of it. */
const languageModel: Check = {
  name: 'language model',
  async run(context) {
    const spec = await (await context.audition()).languageModel()
    return spec === null ? [] : [{ state: 'ok', message: `${maskSecrets(spec)}, not asked` }]
  },
}

/** Whether the reranker that is configured opens; no word when none is. One that others run is not asked. */
const reranker: Check = {
  name: 'reranker',
  async run(context) {
    try {
      const found = await (await context.audition()).reranker()
      if (found === null) return []
      const count = found.depth === 1 ? 'candidate' : `${found.depth} candidates`
      return [{ state: 'ok', message: `${found.id}, over the first ${count}` }]
    } catch (error) {
      if (!RemedyError.isInstance(error)) throw error
      return [{ state: 'fail', message: error.message, remedy: error.remedy }]
    }
  },
}

/** Whether what is set for runtimes, such as tokens, is written as it is read; no word of one when nothing is. */
const runtimeChecks: readonly Check[] = runtimeSettings.map(({ name }) => ({
  name,
  async run(context) {
    const message = await (await context.audition()).runtimeSetting(name)
    return message === null ? [] : [{ state: 'ok', message }]
  },
}))

/** Which sandbox holds the programs that are started, whether it works here, and which one would where none is chosen. */
const sandbox: Check = {
  name: 'sandbox',
  async run(context) {
    const { within, fault, available } = await (await context.audition()).containment()
    if (fault !== null)
      return [{ state: 'fail', message: `nothing is started: ${fault.message}`, remedy: fault.remedy }]
    return [
      {
        state: 'ok',
        message: within,
        ...(available === undefined ? {} : { remedy: chooseSandbox(available) }),
      },
    ]
  },
}

/** Everything `doctor` looks at, in the order it reports. */
const doctorChecks: readonly Check[] = [
  nodeVersion,
  store,
  writers,
  damage,
  keptSecrets,
  model,
  reranker,
  languageModel,
  ...runtimeChecks,
  sources,
  sandbox,
  hostConfigs,
  auditionInHosts,
  launches,
  mcpServers,
]
