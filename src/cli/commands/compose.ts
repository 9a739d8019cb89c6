import type { ComposedProfile, Composition } from '../../assembling/composition.ts'
import type { ProbeReport } from '../../probing/run/probe-report.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { saidIn } from '../ask/ask.ts'
import { type WrittenProfiles, writtenProfiles } from '../../compose/shells/written-profiles.ts'
import { defineCommand, flag, type Flags, limitsIn, limitsOf, text, whole } from '../command.ts'
import type { Context } from '../context.ts'
import { type ExitCode, exitCodes, UsageError } from '../errors.ts'
import { probeShown } from './probe.ts'
import { flagNames } from '../../domain/finding.ts'
import { flaggedAdvice, flaggedCard } from '../render/problem-lines.ts'
import { probeLines } from '../render/probe-lines.ts'
import { defined } from '../../domain/defined.ts'
import { countOf } from '../../domain/text/count-of.ts'
import type { Output } from '../terminal.ts'

/** Characters of a task that are read. */
const taskLimit = 8000
/** Profiles that are written where nobody says how many, and that are auditioned at most. */
const mostWritten = 3

const options = {
  limit: whole('-k, --limit <count>', 'profiles (default: 10; with --write: 3)', [1, 10]),
  write: text('--write <folder>', 'write the profiles as YAML into this folder, and index it'),
  probe: flag(
    '--probe',
    'with --write: run the first three on the task, judge them and keep it in their record',
  ),
  ...limitsOf('120s,0.50usd', 'with --probe: '),
  json: flag('--json', 'print the composition as JSON'),
}

/** `audition compose`. */
export const command = defineCommand({
  description: [
    'Puts agents together for a task, from what you have: tools of your indexed MCP servers, and the model in AUDITION_LLM. Each',
    'is a capability profile: backbone, tools with their servers, policy. They are ranked by what of the task their tools do;',
    'a step that no tool of yours does is told. Without AUDITION_LLM their backbone is null: they lend their tools, and do not run.',
    'With it the model combines the tools found, and is asked nothing else. Nothing is written or started without --write and --probe.',
  ].join(' '),
  arguments: [
    { syntax: '<task...>', description: 'the task in plain words; - reads it from standard input' },
  ],
  options,
  examples: [
    {
      line: 'audition compose "add up the invoices and put the due date into my calendar"',
      does: 'up to ten, best first',
    },
    {
      line: 'audition compose --write agents "percent of a total"',
      does: 'the first three as files, indexed',
    },
    { line: 'audition compose --write agents --probe "percent of a total"', does: 'and auditioned' },
    { line: 'audition compose --json - < task.txt', does: 'for a script' },
  ],
  async run({ words, flags }, context) {
    const task = await taskOf(words, flags, context)
    const audition = await context.audition()
    const k = flags.limit ?? (flags.write === undefined ? undefined : mostWritten)
    const composition = await audition.compose(task, defined({ signal: context.signal, k }))
    const written =
      flags.write === undefined || composition.profiles.length === 0
        ? undefined
        : await writtenProfiles(composition.profiles, flags.write, audition)
    if (!flags.json) await printComposition(composition, written, context)
    const report = flags.probe && written ? await auditioned(task, written, { flags, context }) : undefined
    if (flags.json)
      context.printJson({
        ...shown(composition),
        written: written?.written.map(({ file, card }) => ({ file, id: card?.id ?? null })),
        probe: report,
      })
    return exitCodeOf(report)
  },
})

type ComposeFlags = Flags<typeof options>

async function taskOf(words: readonly string[], flags: ComposeFlags, context: Context): Promise<string> {
  const task = await saidIn(words, taskLimit, context)
  if (task === '') throw new UsageError('The task is empty. Say in plain words what is to be done.')
  if (!flags.probe && (flags.seconds ?? flags.budget) !== undefined)
    throw new UsageError('--seconds and --budget go with --probe.')
  if (flags.probe && flags.write === undefined)
    throw new UsageError('--probe needs --write <folder>: what is run has to lie in a file.')
  if (flags.probe && (await (await context.audition()).languageModel()) === null)
    throw new UsageError('--probe needs a model: set AUDITION_LLM, for example AUDITION_LLM=ollama:qwen3:8b.')
  return task
}

/** The same with ids for whole cards. */
const shown = ({ profiles, ...rest }: Composition) => ({
  ...rest,
  profiles: profiles.map(({ tools, ...profile }) => ({
    ...profile,
    composed: true,
    tools: tools.map(({ id }) => id),
  })),
})

async function printComposition(
  composition: Composition,
  written: WrittenProfiles | undefined,
  context: Context,
): Promise<void> {
  const { stdout } = context.terminal
  context.print(...compositionLines(composition, stdout))
  if (written === undefined) return
  context.print(
    '',
    ...written.written.map(
      ({ file, card }) =>
        `wrote ${printableLine(file)}${card === null ? '' : `  ${stdout.paint.cyan(card.id)}`}`,
    ),
    ...written.notes.map((note) => stdout.paint.yellow(printableLine(note))),
  )
}

async function auditioned(
  task: string,
  { written }: WrittenProfiles,
  { flags, context }: { readonly flags: ComposeFlags; readonly context: Context },
): Promise<ProbeReport> {
  const cards = written.flatMap(({ card }) => card ?? []).slice(0, mostWritten)
  const probing = await (await context.audition()).probing()
  const tasks = { kind: 'given' as const, tasks: [{ text: task }] }
  const plans = await probing.plan({ cards, tasks })
  const report = await probeShown({ cards, tasks, plans, ...limitsIn(flags) }, probing, context)
  if (flags.json) return report
  context.print('', ...probeLines(report, context.terminal.stdout, context.terminal.platform))
  return report
}

function exitCodeOf(report: ProbeReport | undefined): ExitCode {
  if (report?.stopped === 'cancelled') return exitCodes.interrupted
  return report?.candidates.every(({ notRun }) => notRun !== null) ? exitCodes.failed : exitCodes.done
}

/** Profiles of a composition for people: of each its backbone, its tools, and what of the task no tool of it does. */
function compositionLines(composition: Composition, { paint }: Output): readonly string[] {
  const { profiles, facets, notes, asked } = composition
  const by = asked === undefined ? '' : `, combined by ${printableLine(asked.model)}`
  const left =
    asked === undefined || asked.dropped === 0
      ? ''
      : `, ${countOf(asked.dropped, 'name')} that it was not given dropped`
  const order =
    profiles.length < 2
      ? ''
      : ', the best first; behind it those that hold what it lacks, whatever their score'
  return [
    `${paint.bold(profiles.length === 0 ? 'Nothing composed' : 'Composed')} ${paint.dim(`(${countOf(profiles.length, 'profile')}${order}${by}${left})`)}`,
    ...notes.map((note) => paint.yellow(printableLine(note))),
    ...(facets.length < 2 ? [] : facets.map((facet, at) => `  step ${at + 1}: ${printableLine(facet)}`)),
    ...profiles.flatMap((profile, at) => profileLines(profile, at + 1, paint)),
    ...flaggedToolLines(profiles, paint),
  ]
}

/** Tools in these profiles whose text the scan flagged, each once: told as searches tell it. */
function flaggedToolLines(profiles: readonly ComposedProfile[], paint: Output['paint']): readonly string[] {
  const tools = new Map(profiles.flatMap((profile) => profile.tools).map((tool) => [tool.id, tool]))
  const flagged = [...tools.values()].filter((tool) => flagNames(tool).length > 0)
  if (flagged.length === 0) return []
  return [`Flagged by the scan; ${flaggedAdvice}:`, ...flagged.map((tool) => `  ${flaggedCard(tool)}`)].map(
    paint.yellow,
  )
}

function profileLines(profile: ComposedProfile, rank: number, paint: Output['paint']): readonly string[] {
  const { name, score, backbone, tools, serves } = profile
  const model = backbone === null ? 'no backbone' : printableLine(backbone.id ?? backbone.name)
  const stepsOf = (id: string): string => {
    const steps = serves.flatMap(({ tool }, step) => (tool === id ? [step + 1] : []))
    if (steps.length === 0) return serves.some(({ tool }) => tool !== null) ? '  in case' : ''
    return serves.length < 2 ? '' : `  step ${steps.join(', ')}`
  }
  return [
    `${String(rank).padStart(2)}  ${paint.cyan(name)}  composed  ${score.toFixed(2)}  ${model}`,
    ...(tools.length === 0
      ? ['      no tool']
      : tools.map(({ id }) => `      ${printableLine(id)}${paint.dim(stepsOf(id))}`)),
  ]
}
