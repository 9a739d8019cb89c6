import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { RemedyError } from '../../domain/remedy-error.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'
import type { Calibration, JudgedAnswer } from '../../probing/judges/calibrate-judge.ts'
import type { LabelledAnswer } from '../../probing/judges/labelled-answers.ts'
import type { BadLine } from '../../probing/record/outcome-lines.ts'
import { mostGradings } from '../../probing/settings/settings.ts'
import { defineCommand, flag, type Flags, taskOf, text, whole } from '../command.ts'
import type { Context } from '../context.ts'
import { type ExitCode, exitCodes, UsageError } from '../errors.ts'
import { badLineTexts } from '../render/text.ts'
import { readInput } from '../ask/ask.ts'
import { calibrationView, shownBy } from '../progress.ts'
import { calibrationLines, severalJudgesLines } from '../render/calibration-lines.ts'

/** The most that an answer on standard input may hold, in characters. */
const answerLimit = 4_000_000

const options = {
  task: text('--task <text>', 'what was asked'),
  answer: text('--answer <text>', 'the answer to grade; - reads it from standard input'),
  expect: text('--expect <text>', 'what a right answer states: graded without a model'),
  golden: text('--golden <text>', 'a good answer, shown to the model'),
  repeats: whole(
    '--repeats <count>',
    'ask the model so many times per answer; the middle grade counts (default: "gradings" in the settings)',
    [1, mostGradings],
  ),
  calibrate: text('--calibrate <file>', 'grade the labelled answers of a JSON Lines file, and compare'),
  judges: flag(
    '--judges',
    "with --calibrate: every model of AUDITION_LLM and the settings grades all answers, without references; how far they agree (Fleiss' kappa)",
  ),
  comparison: flag(
    '--comparison',
    'with --calibrate: has answers to one task compared side by side, and counts the pairs in the right order',
  ),
  json: flag('--json', 'print the verdict, or the calibration, as JSON'),
}

/** `audition judge`. */
export const command = defineCommand({
  description: [
    'Grades an answer from 1 to 5, as probes do: by what it has to state, else by the model in AUDITION_LLM. With',
    "--calibrate it grades answers that somebody graded already and says how far the judge agrees: Cohen's kappa, plain",
    'and with quadratic weights, the share of equal grades, and agreement on success (4 or 5). A line of the file is',
    '{"task": "...", "answer": "...", "grade": 1..5}, with a "golden" answer, or a "reference" such as',
    '{"kind": "states", "text": "42.5"}, which decides without the model; docs/probing.md has its other kinds. Each other',
    'line asks the model once (or --repeats times), which costs what the model costs. Ctrl-C stops and compares what was graded. 1 absent or',
    'off-task, 2 misses the request, 3 partial, 4 minor faults, 5 fully right.',
  ].join(' '),
  options,
  examples: [
    {
      line: 'audition judge --task "Name the capital of France." --answer "It is Paris."',
      does: 'the grade, and why',
    },
    {
      line: 'audition judge --task "What is 17% of 250?" --answer - --expect 42.5 < answer.txt',
      does: 'without a model',
    },
    { line: 'audition judge --calibrate labelled.jsonl', does: 'how far its grades can be trusted' },
    {
      line: 'audition judge --calibrate labelled.jsonl --repeats 3',
      does: 'whether the middle of three grades is steadier',
    },
    {
      line: 'audition judge --calibrate labelled.jsonl --judges --comparison',
      does: 'several judges, and the one that compares',
    },
    { line: 'audition judge --calibrate labelled.jsonl --json > agreement.json', does: 'for a script' },
  ],
  async run({ flags }, context) {
    const { calibrate: file, judges, comparison } = flags
    if (file === undefined && (judges || comparison))
      throw new UsageError('--judges and --comparison go with --calibrate.')
    if (file === undefined) return gradeOne(flags, context)
    return judges || comparison ? checkJudges(file, flags, context) : calibrate(file, flags, context)
  },
})

type JudgeFlags = Flags<typeof options>

async function gradeOne(
  { task, answer, expect, golden, repeats, json }: JudgeFlags,
  context: Context,
): Promise<ExitCode> {
  if (task === undefined || answer === undefined) {
    throw new UsageError('Give --task and --answer, or --calibrate and a file of labelled answers.')
  }
  const { executionOfAnswer } = await import('../../probing/judges/labelled-answers.ts')
  const judge = await (await context.audition()).judge(repeats)
  const verdict = await judge.judge(
    taskOf(task, { golden, expect }),
    executionOfAnswer(answer === '-' ? await readInput(context.terminal.stdin, answerLimit) : answer),
    context.signal,
  )
  if (verdict === null) throw nobodyJudges('Give --expect, or name a model in AUDITION_LLM.')
  if (json) context.printJson(verdict)
  else if ('grade' in verdict) context.print(`${verdict.grade}  ${printableLine(verdict.reason)}`)
  if ('grade' in verdict) return exitCodes.done
  context.log(`${context.terminal.stderr.paint.red('error:')} not graded: ${printable(verdict.refusal)}`)
  return exitCodes.failed
}

function requireFileAlone({ task, answer, expect, golden }: JudgeFlags): void {
  if ([task, answer, expect, golden].every((given) => given === undefined)) return
  throw new UsageError(
    '--calibrate takes tasks and answers from its file: give it alone, or with --repeats, --judges, --comparison and --json.',
  )
}

/** Several judges side by side, and the one that compares. */
async function checkJudges(file: string, flags: JudgeFlags, context: Context): Promise<ExitCode> {
  requireFileAlone(flags)
  const { answers, problems } = await labelledIn(file, context)
  const audition = await context.audition()
  const { calibrateJudges, checkComparer } = await import('../../probing/judges/several-judges.ts')
  const judges = flags.judges ? await audition.modelJudges(flags.repeats) : []
  const comparer = flags.comparison ? await audition.comparer() : null
  if ((flags.judges && judges.length === 0) || (flags.comparison && comparer === null))
    throw nobodyJudges('Name one or more models in AUDITION_LLM, with commas between them.')
  const { signal, terminal } = context
  const view = calibrationView(terminal.stderr, answers.length * judges.length)
  const several =
    judges.length === 0
      ? null
      : await shownBy(view, (onJudged) => calibrateJudges(judges, answers, { signal, onJudged }))
  const comparison = comparer === null ? null : await checkComparer(comparer, answers, signal)
  if (flags.json) {
    context.printJson({
      ...(several && {
        judges: several.judges.map((one) => jsonOf(one, problems)),
        agreement: several.agreement,
      }),
      ...(comparison && { comparison }),
    })
  } else context.print(...severalJudgesLines({ several, comparison }, terminal.stdout))
  if (signal.aborted) return exitCodes.interrupted
  const isIdle = several?.judges.every(({ count }) => count === 0)
  return isIdle ? exitCodes.failed : exitCodes.done
}

async function calibrate(file: string, flags: JudgeFlags, context: Context): Promise<ExitCode> {
  requireFileAlone(flags)
  const { repeats, json } = flags
  const { answers, problems } = await labelledIn(file, context)
  const { calibrateJudge } = await import('../../probing/judges/calibrate-judge.ts')
  const judge = await (await context.audition()).judge(repeats)
  const { signal, terminal } = context
  const found = await shownBy(calibrationView(terminal.stderr, answers.length), (onJudged) =>
    calibrateJudge(judge, answers, { signal, onJudged }),
  )
  if (found.left > 0)
    context.log(`Stopped after ${answers.length - found.left} of ${countOf(answers.length, 'answer')}.`)
  else if (found.ungraded.every(({ verdict }) => verdict === null) && found.count === 0) {
    throw nobodyJudges('Give lines a "reference", or name a model in AUDITION_LLM.')
  }
  if (json) context.printJson(jsonOf(found, problems))
  else context.print(...calibrationLines(found, context.terminal.stdout))
  if (found.left > 0) return exitCodes.interrupted
  return found.count === 0 ? exitCodes.failed : exitCodes.done
}

async function labelledIn(file: string, context: Context) {
  const shown = printableLine(file)
  const content = await readFile(resolve(context.terminal.cwd, file), 'utf8').catch((cause: unknown) => {
    throw new Error(`${shown} cannot be read. Give a JSON Lines file of labelled answers.`, { cause })
  })
  const { readLabelledAnswers } = await import('../../probing/judges/labelled-answers.ts')
  const read: { readonly answers: readonly LabelledAnswer[]; readonly problems: readonly BadLine[] } =
    readLabelledAnswers(content)
  context.log(...badLineTexts(file, read.problems))
  if (read.answers.length > 0) return read
  throw new Error(
    `${shown} holds no labelled answer. Write one {"task": "...", "answer": "...", "grade": 1 to 5} a line.`,
  )
}

const nobodyJudges = (remedy: string): RemedyError =>
  new RemedyError('There is neither a reference nor a model to judge by.', remedy)

const jsonOf = ({ misses, ungraded, ...agreement }: Calibration, problems: readonly BadLine[]) => ({
  ...agreement,
  misses: misses.map(judgedJson),
  ungraded: ungraded.map(judgedJson),
  leftOut: problems,
})

const judgedJson = ({ labelled: { line, grade }, verdict }: JudgedAnswer) => ({ line, label: grade, verdict })
