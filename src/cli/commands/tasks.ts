import { resolve } from 'node:path'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { MakeTasksRequest } from '../../tasks/request.ts'
import type { KeptTasks } from '../../tasks/task-file.ts'
import type { MadeTasks, TasksReport } from '../../tasks/make-tasks.ts'
import { taskKinds } from '../../tasks/generated-task.ts'
import { budgetOf, choice, defineCommand, flag, type Flags, text, whole } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { tasksLines } from '../render/tasks-lines.ts'
import { defined } from '../../domain/defined.ts'
import { shownBy, tasksView } from '../progress.ts'
import { agreeToAsk } from '../ask/agree-to-ask.ts'

const options = {
  kind: choice('--kind <kind>', 'how tasks are made (default: single)', taskKinds),
  count: whole('--count <count>', 'tasks wanted (default: 20)', [1, 10_000]),
  for: choice('--for <which>', 'only tools, or only agents', ['tools', 'agents']),
  out: text('--out <file>', 'where to write them (default: tasks.jsonl), with the report beside'),
  execute: flag('--execute', 'run the candidates of each task; what all or none solve is dropped'),
  names: flag('--names', 'let tasks name the cards they are for'),
  templates: flag('--templates', 'ask no language model, even where one is configured'),
  seed: whole('--seed <number>', 'another order of cards (default: 1)', [0, 2 ** 31]),
  budget: text('--budget <amounts>', 'most that it may use, for example 600s,200000tokens,0.50usd'),
  yes: flag('--yes', 'ask the language model without asking you'),
  json: flag('--json', 'print the report as JSON'),
}

type MakeFlags = Flags<typeof options>

const makeCommand = defineCommand({
  description: [
    'Writes tasks for the cards of your index, with the cards that should be found, in the form that `audition evaluate <file>`',
    'reads. By the model in AUDITION_LLM, which is asked only when you agree to what it takes; without one from examples,',
    'schemas and templates, and marked so. Says what was dropped and why, and how easy the tasks are. Ctrl-C stops it: the',
    'same command goes on where it was, and pays for no answer twice.',
  ].join(' '),
  arguments: [{ syntax: '[source]', description: 'a source or server of the index (default: all of it)' }],
  options,
  examples: [
    { line: 'audition tasks make', does: '20 tasks over the index; then: audition evaluate tasks.jsonl' },
    { line: 'audition tasks make github --for tools --count 100', does: 'for the tools of one source' },
    { line: 'audition tasks make --kind multi --out multi.jsonl', does: 'requests that need several cards' },
    {
      line: 'audition tasks make --execute --budget 600s,1usd',
      does: 'with the cards that really solve them',
    },
  ],
  async run({ words: [word], flags }, context) {
    const file = resolve(context.terminal.cwd, flags.out ?? 'tasks.jsonl')
    const [{ requireOwnFile, writeTasks }, { requireWritableFile }] = await Promise.all([
      import('../../tasks/task-file.ts'),
      import('../../evaluation/runs/writable.ts'),
    ])
    requireOwnFile(file)
    await requireWritableFile(file)
    try {
      const made = await makeShown(requestOf(word, flags), flags, context)
      const kept = await writeTasks(file, made)
      await printReport(made.report, { flags, file, kept }, context)
      return made.report.stopped === undefined && made.tasks.length > 0 ? exitCodes.done : exitCodes.failed
    } catch (error) {
      if (!context.signal.aborted) throw error
      context.log('Stopped, and nothing was written. The same command goes on where it was.')
      return exitCodes.interrupted
    }
  },
})

/** `audition tasks`. */
export const command = defineCommand({
  description: 'Makes tasks with judgements of your own cards, to measure search and candidates by.',
  options: {},
  examples: [{ line: 'audition tasks make', does: '20 tasks over the index, into tasks.jsonl' }],
  subcommands: [{ name: 'make', summary: 'write tasks for the cards of the index', command: makeCommand }],
  async run() {
    throw new UsageError('Say what to do: audition tasks make.')
  },
})

const kindOf = { tools: 'tool', agents: 'agent' } as const

const requestOf = (word: string | undefined, flags: MakeFlags): MakeTasksRequest => {
  const { kind, count, seed, names, templates, execute } = flags
  return defined({
    kind,
    count,
    seed,
    names,
    budget: budgetOf(flags.budget),
    of: word === 'index' ? undefined : word,
    cardKind: flags.for && kindOf[flags.for],
    writer: templates ? 'templates' : undefined,
    execute: execute ? {} : undefined,
  })
}

async function makeShown(request: MakeTasksRequest, flags: MakeFlags, context: Context): Promise<MadeTasks> {
  const audition = await context.audition()
  const agree = agreeToAsk(flags.yes, context)
  return shownBy(tasksView(context.terminal.stderr), (onProgress) =>
    audition.makeTasks({ ...request, signal: context.signal, onProgress, agree }),
  )
}

async function printReport(
  report: TasksReport,
  { flags, file, kept }: { readonly flags: MakeFlags; readonly file: string; readonly kept: KeptTasks },
  context: Context,
): Promise<void> {
  if (!kept.isWritten) context.log(notWritten(report, file, kept))
  if (flags.json) {
    context.printJson({ file: kept.isWritten ? file : null, ...report })
    return
  }
  context.print(...tasksLines(report))
  if (kept.isWritten)
    context.print(
      '',
      `Written to ${printableLine(file)}. Next: audition evaluate ${flags.out ?? 'tasks.jsonl'}`,
    )
}

/** Why no file was written, and what stays. */
function notWritten({ made }: TasksReport, file: string, { earlier }: KeptTasks): string {
  const place = printableLine(file)
  if (earlier === 0) return `No task was made, so nothing was written to ${place}.`
  const few = made === 0 ? 'No task was made' : `Stopped after ${countOf(made, 'task')}`
  return `${few}: ${place} stays as it was, with its report and the ${countOf(earlier, 'task')} of before.`
}
