import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { hiredKindOf } from '../../../catalog/hiring.ts'
import { mayNotFit } from '../../../compose/pass-rating.ts'
import type { Card, CardKind } from '../../../domain/card.ts'
import { RemedyError } from '../../../domain/remedy-error.ts'
import { countOf } from '../../../domain/text/count-of.ts'
import { printableLine } from '../../../domain/text/printable.ts'
import { shellWord } from '../../../domain/text/shell-word.ts'
import type { AuditionReport } from '../../../probing/run/audition.ts'
import type { Plan, TaskChoice } from '../../../probing/run/probing.ts'
import type { AskedOfWriter } from '../../../tasks/desk.ts'
import { knownCards } from '../../ask/known.ts'
import { candidatesFor, writeThem } from '../../ask/audition-candidates.ts'
import { ableWith, askPermission } from '../../ask/permission.ts'
import { defineCommand, flag, type Flags, limitsIn, limitsOf, text, whole } from '../../command.ts'
import type { Context } from '../../context.ts'
import { type ExitCode, exitCodes, UsageError } from '../../errors.ts'
import { probeShown } from '../probe.ts'
import { auditionTasks, madeTasks } from '../../ask/audition-tasks.ts'
import { planLines } from '../../render/probe-lines.ts'
import { auditionLines, besidesLines } from '../../render/audition-lines.ts'

const options = {
  tasks: text(
    '--tasks <file>',
    'tasks as `audition evaluate` reads queries, or one a line; make: the model in AUDITION_LLM writes them for the job',
  ),
  candidates: text(
    '--candidates <ids>',
    'ids with commas between them, or how many of a search for the job (default: 3)',
  ),
  tools: flag('--tools', 'search for tools, not agents'),
  count: whole(
    '--count <count>',
    'at most so many tasks (default: all of a file, 20 that are made)',
    [2, 1000],
  ),
  ...limitsOf('600s,200000tokens,2usd'),
  simulate: flag('--simulate', 'on simulated tools, into a ledger of its own: `audition record --simulated`'),
  dryRun: flag('--dry-run', 'say what would be started and asked, start nothing'),
  yes: flag('--yes', 'let --tasks make ask the language model without asking you'),
  json: flag('--json', 'print the report as JSON'),
}

/** `audition audition`. */
export const command = defineCommand({
  description: [
    'Finds candidates for a job, runs them side by side on the same tasks, and says who is the best, how sure that is and',
    'what it cost. It stops as soon as the winner is sure: with a chance of 95 % or more it is at most half a grade worse',
    'than the best. Sub-agents and skills run in Claude Code where the command claude is installed, with what they have',
    'there. Outcomes are recorded. Only what you allow is started. Ctrl-C keeps what ended. See docs/auditions.md.',
  ].join(' '),
  arguments: [{ syntax: '[job...]', description: 'the job in plain words' }],
  options,
  examples: [
    {
      line: 'audition audition "total the amounts of a csv file" --tasks invoices.jsonl',
      does: 'the three best matches on your tasks',
    },
    {
      line: 'audition audition "review a lease" --tasks make --candidates 5 --budget 2usd',
      does: 'on tasks that a model writes',
    },
    {
      line: 'audition audition "book a table" --tasks bookings.jsonl --simulate',
      does: 'profiles and tools, without the effects of any tool',
    },
    {
      line: 'audition audition --candidates team/clerk,team/tally --tasks sums.txt --dry-run',
      does: 'what two agents would be asked',
    },
  ],
  async run({ words, flags }, context) {
    const job = words.join(' ').trim()
    const kind: CardKind = flags.tools ? 'tool' : 'agent'
    const { ids, most } = wantedOf(flags.candidates)
    if (job === '' && ids === undefined)
      throw new UsageError('Say the job in plain words, or name --candidates.')
    const audition = await context.audition()
    const probing = flags.simulate ? await audition.simulatedProbing() : await audition.probing()
    const named = ids === undefined ? undefined : await knownCards(audition, ids)
    const tasks = await tasksOf({ job, kind: named?.[0]?.kind ?? kind }, flags, context)
    const ask = { tasks, inHost: true }
    const plans =
      named === undefined
        ? await candidatesFor({ job, kind, most }, (cards) => probing.plan({ cards, ...ask }), context)
        : await probing.plan({ cards: named, ...ask })
    requireSameTasks(plans, tasks)
    if (flags.dryRun) return printPlans(plans, { flags, tasks }, context)
    const known = tasks.kind === 'given' ? tasks.tasks.filter(({ reference }) => reference !== undefined) : []
    if (flags.simulate && known.length > 0) context.log(mayNotFit(countOf(known.length, 'task')))
    const cards = plans.map(({ card }) => card)
    const allow = await askPermission(plans, probing, context)
    const able = ableWith(allow, plans)
    if (able.length === 1)
      context.log(
        `${printableLine(able[0]!.card.id)} has nobody to be compared with: no other candidate can run.`,
      )
    const { limits, budget } = limitsIn(flags)
    const given = { tasks, budget, asked: undefined }
    // For nobody no tasks are paid.
    const made =
      tasks.kind !== 'written'
        ? given
        : able.length > 0
          ? await madeTasks({ job, cards, count: tasks.count }, { budget, isAgreed: flags.yes }, context)
          : { ...given, tasks: { kind: 'given', tasks: [] } as const }
    if (made === null) return exitCodes.interrupted
    const { asked: writing, ...toDo } = made
    const call = { ...ask, ...toDo, cards, limits, plans, allow }
    const report = await probeShown(call, { ...probing, probe: (asked) => probing.audition(asked) }, context)
    await printReport(report, { plans, flags, writing }, context)
    if (report.stopped === 'cancelled') return exitCodes.interrupted
    return report.runs === 0 || report.stopped === 'judge failed' ? exitCodes.failed : exitCodes.done
  },
})

type AuditionFlags = Flags<typeof options>

/** @throws UsageError for a count that is none */
function wantedOf(given = '3'): { readonly ids?: readonly string[]; readonly most: number } {
  if (!/^\d+$/.test(given)) {
    const ids = given
      .split(',')
      .map((id) => id.trim())
      .filter(Boolean)
    const twice = ids.find((id, at) => ids.indexOf(id) !== at)
    if (twice !== undefined)
      throw new UsageError(`--candidates names "${printableLine(twice)}" twice. Name each once.`)
    return { ids, most: ids.length }
  }
  const most = Number(given)
  if (most < 2 || most > 20) throw new UsageError('--candidates takes ids, or a number from 2 to 20.')
  return { most }
}

/** @throws UsageError without tasks; RemedyError for a file that holds none */
async function tasksOf(
  { job, kind }: { readonly job: string; readonly kind: CardKind },
  { tasks = '', count }: AuditionFlags,
  { terminal }: Context,
): Promise<TaskChoice> {
  if (tasks === '') throw new UsageError('Give --tasks and a file, or --tasks make.')
  if (tasks === 'make' && !existsSync(resolve(terminal.cwd, tasks))) {
    if (job === '') throw new UsageError('--tasks make writes tasks for a job: say it in plain words.')
    if (kind === 'tool')
      throw new UsageError('Tools are called with arguments: give --tasks and a file that has them.')
    return { kind: 'written', goal: job, count: count ?? 20 }
  }
  return { kind: 'given', tasks: auditionTasks(resolve(terminal.cwd, tasks), kind).slice(0, count) }
}

/** Candidates are compared on the same tasks: a tool that some task does not call would have fewer. */
function requireSameTasks(plans: readonly Plan[], choice: TaskChoice): void {
  if (choice.kind !== 'given') return
  const short = plans.find(({ card, tasks }) => card.kind === 'tool' && tasks.length < choice.tasks.length)
  if (short === undefined) return
  throw new RemedyError(
    `"${short.card.id}" is a tool, and ${choice.tasks.length - short.tasks.length} of ${choice.tasks.length} tasks have no "arguments" to call it with.`,
    writeThem,
  )
}

async function printPlans(
  plans: readonly Plan[],
  { flags: { json }, tasks: choice }: { readonly flags: AuditionFlags; readonly tasks: TaskChoice },
  context: Context,
): Promise<ExitCode> {
  const writer = context.env.AUDITION_LLM?.trim() || null
  if (json) {
    const candidates = plans.map(({ card, ...plan }) => ({ card: card.id, ...plan }))
    const written = choice.kind === 'written' ? { written: { tasks: choice.count, model: writer } } : {}
    context.printJson({ dryRun: true, candidates, ...written })
    return exitCodes.done
  }
  const isWritten = choice.kind === 'written'
  const runs = plans.reduce((sum, { tasks }) => sum + (isWritten ? choice.count : tasks.length), 0)
  const asked =
    writer === null
      ? 'No model is set that could write the tasks: set AUDITION_LLM.'
      : `${printableLine(writer)} will be asked to write ${countOf(isWritten ? choice.count : 0, 'task')}, and to grade answers.`
  const { stdout, platform } = context.terminal
  context.print(
    ...planLines(plans, stdout, platform),
    ...(isWritten ? ['', asked] : []),
    ...(runs === 0 ? [] : ['', `${runs} runs at most.`]),
  )
  return exitCodes.done
}

/** What a report is shown with; `writing` is what it took to write the tasks, where a model did. */
type Surroundings = {
  readonly plans: readonly Plan[]
  readonly flags: AuditionFlags
  readonly writing: AskedOfWriter | undefined
}

async function printReport(
  report: AuditionReport,
  { plans, flags, writing }: Surroundings,
  { terminal, print, printJson }: Context,
): Promise<void> {
  const next = nextOf(report, plans, terminal.platform)
  if (flags.json) return printJson({ ...report, ...(writing === undefined ? {} : { writing }), next })
  const simulated =
    'On simulated tools: nothing of this is in the track record. `audition record --simulated` shows it.'
  print(
    ...auditionLines(report, terminal.stdout, terminal.platform),
    ...besidesLines(report, writing),
    ...(flags.simulate ? ['', simulated] : []),
    ...(next === null ? [] : ['', `Next: ${next}`]),
  )
}

/** What to type now; null when nobody did well. */
function nextOf(
  { candidates: [first, second], winner }: AuditionReport,
  plans: readonly Plan[],
  platform: NodeJS.Platform,
): string | null {
  if (first === undefined || first.worked === 0) return null
  const { card } = plans.find(({ card: { id } }) => id === first.card)!
  const id = shellWord(printableLine(card.id), platform)
  if (second === undefined || second.runs.length === 0)
    return `a second candidate, to compare: \`audition search "<job>" --runnable\` finds some, \`audition index\` adds some.`
  if (winner === null) return `more tasks, to be sure; or \`audition show ${id}\`.`
  return canBeHired(card) ? `audition hire ${id}` : `audition run ${id} "<task>"`
}

/** A profile is hired as a sub-agent, which is its instructions. */
const canBeHired = (card: Card): boolean =>
  hiredKindOf(card) !== undefined &&
  !(card.kind === 'agent' && card.agentKind === 'profile' && (card.instructions ?? '') === '')
