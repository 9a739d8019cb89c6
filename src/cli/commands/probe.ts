import type { Card } from '../../domain/card.ts'
import type { ProbeReport } from '../../probing/run/probe-report.ts'
import type { Plan, ProbeCall, Probing, TaskChoice } from '../../probing/run/probing.ts'
import { type RankedAgain, rankedAgain } from '../../probing/run/ready-first.ts'
import type { SearchAnswer, SearchRequest } from '../../retrieval/answer.ts'
import {
  argumentsOf,
  defineCommand,
  flag,
  type Flags,
  limitsIn,
  limitsOf,
  taskOf,
  text,
  texts,
  whole,
} from '../command.ts'
import type { Context } from '../context.ts'
import { type ExitCode, exitCodes, UsageError } from '../errors.ts'
import { knownCards } from '../ask/known.ts'
import { askPermission } from '../ask/permission.ts'
import { comparedOrder } from '../ask/compared-order.ts'
import { probeView, shownBy } from '../progress.ts'
import { planLines, probeLines, rerankLines } from '../render/probe-lines.ts'

const options = {
  task: texts('--task <text>', 'what to ask, in plain words'),
  expect: text('--expect <text>', 'what a right answer to --task states: graded without a model'),
  arguments: text('--arguments <json>', 'with --task: arguments of the call, for tools'),
  top: whole(
    '--top <count>',
    'probe the first so many of a search for the goal, and rank them again',
    [1, 20],
  ),
  tools: flag('--tools', 'with --top: search for tools, not agents'),
  compareOrder: flag(
    '--compare-order',
    'run the agents at ranks 1, 4, 7, 10 and 13 of a task, and measure how far search agrees with their answers',
  ),
  tasks: text('--tasks <file>', 'with --compare-order: tasks of a file, one a line'),
  simulate: flag('--simulate', 'on simulated tools, into a ledger of its own: `audition record --simulated`'),
  fromExamples: flag('--from-examples', 'with --top: ask what the cards bring, not the goal'),
  count: whole('--count <count>', 'tasks per candidate of those that cards bring (default: 3)', [1, 50]),
  ...limitsOf('120s,50000tokens,0.50usd'),
  dryRun: flag('--dry-run', 'say what would be started and asked, start nothing'),
  json: flag('--json', 'print the report as JSON'),
}

/** `audition probe`. */
export const command = defineCommand({
  description: [
    'Runs agents and tools on tasks, judges their answers from 1 to 5 and adds to their track record, by which search',
    'ranks. Without --task it asks what a card brings: its examples, and for the bundled catalog tasks whose answers',
    'are known. Only what you allow is started: on a terminal you are asked, elsewhere `audition allow` decides. An',
    'answer is judged by --expect or a known answer, else by the model in AUDITION_LLM, else it is recorded ungraded.',
    'Ctrl-C stops what runs and keeps what ended.',
  ].join(' '),
  arguments: [
    {
      syntax: '[agent...]',
      description: 'ids of agents or tools; with --top or --compare-order, the goal in plain words',
    },
  ],
  options,
  examples: [
    {
      line: 'audition probe audition-arithmetic/percent_of audition-calendar/add_to_date',
      does: 'two tools of the bundled catalog',
    },
    {
      line: 'audition probe demo-profiles/tally-south demo-profiles/tally-north',
      does: 'two agents of `audition index bundled:demo`',
    },
    {
      line: 'audition probe team/clerk --task "What is 17% of 250?" --expect 42.5',
      does: 'one task with a known answer',
    },
    {
      line: 'audition probe --top 5 "review a lease" --dry-run',
      does: 'what probing a shortlist would start',
    },
    {
      line: 'audition probe --top 5 "total of a csv column" --from-examples',
      does: 'the shortlist before and after',
    },
    {
      line: 'audition probe --compare-order "total of a csv column"',
      does: 'does execution agree with the ranking?',
    },
    {
      line: 'audition probe team/clerk --task "Book a table for two" --simulate',
      does: 'a profile, without the effects of its tools',
    },
    {
      line: 'audition probe audition-calendar/add_to_date --json --budget 30s',
      does: 'a tool, for a script',
    },
  ],
  async run({ words, flags }, context) {
    if (flags.compareOrder || flags.tasks !== undefined) {
      if (flags.simulate) throw new UsageError('--simulate and --compare-order exclude each other.')
      const shown = {
        probe: async (prepared: Prepared) =>
          probeShown(prepared, await (await context.audition()).probing(), context),
        printPlans: (plans: readonly Plan[]) => printPlans(plans, flags, context),
      }
      return comparedOrder({ words, flags }, shown, context)
    }
    const call = callOf(words, flags)
    const { cards, shortlist } = await candidatesOf({ words, flags }, context)
    const probing = await probingOf(flags, context)
    const tasks = call.tasks ?? (await writtenTasks(words, flags, context))
    const plans = await probing.plan({ cards, tasks })
    if (flags.dryRun) return printPlans(plans, flags, context)
    const report = await probeShown({ ...call, tasks, cards, plans }, probing, context)
    // What is only simulated changes no ranking.
    const isReranked = shortlist !== undefined && !flags.simulate && !context.signal.aborted
    // The bare ranking knows the outcomes, and is deep enough for what fell.
    const bare = { k: 100, pack: 'ranking' } as const
    const again = isReranked
      ? rankedAgain(shortlist, await searchFor({ words, flags }, bare, context), report)
      : undefined
    await printReport({ report, ...(again && shortlist ? { shortlist, again } : {}) }, flags, context)
    return exitCodeOf(report, flags)
  },
})

type ProbeFlags = Flags<typeof options>

async function probingOf({ simulate }: ProbeFlags, context: Context): Promise<Probing> {
  const audition = await context.audition()
  return simulate ? audition.simulatedProbing() : audition.probing()
}

/** What follows from the flags alone. @throws UsageError when they exclude each other */
function callOf(words: readonly string[], flags: ProbeFlags) {
  if (words.join(' ').trim() === '') throw new UsageError('Name an agent, or give --top and a goal.')
  const isOne = flags.task.length === 1
  if (flags.expect !== undefined && !isOne) throw new UsageError('--expect goes with exactly one --task.')
  const given = argumentsOf(flags.arguments)
  if (given !== undefined && !isOne) throw new UsageError('--arguments goes with exactly one --task.')
  if (flags.top === undefined && flags.tools) throw new UsageError('--tools goes with --top.')
  if (flags.task.length > 0 && flags.fromExamples) {
    throw new UsageError('--task and --from-examples exclude each other. Give one of them.')
  }
  const count = flags.count ?? 3
  const isOwn = flags.top === undefined || flags.fromExamples
  const tasks: TaskChoice | undefined =
    flags.task.length > 0
      ? {
          kind: 'given',
          tasks: flags.task.map((one) => taskOf(one, { arguments: given, expect: flags.expect })),
        }
      : isOwn
        ? { kind: 'own', count }
        : undefined
  return { tasks, ...limitsIn(flags) }
}

/** Of a goal: short tasks by a model where one is configured, else the goal itself. */
async function writtenTasks(
  words: readonly string[],
  flags: ProbeFlags,
  context: Context,
): Promise<TaskChoice> {
  const goal = words.join(' ')
  if ((await (await context.audition()).languageModel()) !== null)
    return { kind: 'written', goal, count: flags.count ?? 3 }
  return { kind: 'given', tasks: [{ text: goal }] }
}

type Called = { readonly words: readonly string[]; readonly flags: ProbeFlags }

async function candidatesOf(
  called: Called,
  context: Context,
): Promise<{ readonly cards: readonly Card[]; readonly shortlist?: SearchAnswer }> {
  const { top } = called.flags
  if (top === undefined) return { cards: await knownCards(await context.audition(), called.words) }
  const shortlist = await searchFor(called, { k: top }, context)
  if (shortlist.candidates.length === 0) {
    throw new Error('nothing that can be run was found. Index something, or say the goal in other words.')
  }
  return { cards: shortlist.candidates.map(({ card }) => card), shortlist }
}

async function searchFor(
  { words, flags }: Called,
  how: Pick<SearchRequest, 'k' | 'pack'>,
  context: Context,
): Promise<SearchAnswer> {
  const asked = { kind: flags.tools ? 'tool' : 'agent', query: words.join(' '), ...how } as const
  return (await context.audition()).search({ ...asked, filter: { hasRuntime: true } }, context.signal)
}

type Prepared = Pick<ProbeCall, 'cards' | 'tasks' | 'budget' | 'limits' | 'inHost' | 'allow'> & {
  readonly plans: readonly Plan[]
}

/** Probes what the person allows, who is asked now where `allow` is not given, and shows how it goes. */
export async function probeShown<Report>(
  { plans, ...call }: Prepared,
  probing: Pick<Probing, 'changeAllow'> & { probe(call: ProbeCall): Promise<Report> },
  context: Context,
): Promise<Report> {
  const allow = call.allow ?? (await askPermission(plans, probing, context))
  return shownBy(probeView(context.terminal.stderr), (onEvent) =>
    probing.probe({ ...call, allow, signal: context.signal, onEvent }),
  )
}

async function printPlans(plans: readonly Plan[], { json }: ProbeFlags, context: Context): Promise<ExitCode> {
  if (json) {
    const shown = plans.map(({ card, ...plan }) => ({ card: card.id, ...plan }))
    context.printJson({ dryRun: true, candidates: shown })
  } else context.print(...planLines(plans, context.terminal.stdout, context.terminal.platform))
  return exitCodes.done
}

/** What a probe found, and what became of the shortlist where there was one. */
type Found = {
  readonly report: ProbeReport
  readonly shortlist?: SearchAnswer
  readonly again?: readonly RankedAgain[]
}

async function printReport(
  { report, shortlist, again }: Found,
  flags: ProbeFlags,
  context: Context,
): Promise<void> {
  const { terminal, print, printJson } = context
  if (flags.json) {
    const before = shortlist?.candidates.map(({ card }) => card.id)
    const after = again?.map(({ id }) => id)
    printJson({ ...report, ...(before === undefined ? {} : { before, after }) })
    return
  }
  const { stdout, platform } = terminal
  print(...probeLines(report, stdout, platform))
  if (again !== undefined) {
    print('', ...rerankLines(again, stdout))
  }
  if (flags.simulate)
    print(
      '',
      'On simulated tools: nothing of this is in the track record. `audition record --simulated` shows it.',
    )
  const kept = report.candidates.flatMap(({ runs }) => runs).find(({ hasTranscript }) => hasTranscript)
  if (kept !== undefined) {
    const probing = await probingOf(flags, context)
    print('', stdout.paint.dim(`Transcripts: ${folderOf(probing.transcriptFile(kept.outcome.id))}`))
  }
}

/** Answers that are wrong are what a probe is for. Candidates that were named and not run are a failure; of a shortlist, some must run. */
function exitCodeOf({ stopped, candidates }: ProbeReport, { top }: ProbeFlags): ExitCode {
  if (stopped === 'cancelled') return exitCodes.interrupted
  const missed = candidates.filter(({ notRun }) => notRun !== null).length
  const bearable = top === undefined ? 0 : candidates.length - 1
  return missed > bearable ? exitCodes.failed : exitCodes.done
}

/** The path up to its last slash, that one too. */
const folderOf = (path: string): string =>
  path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
