import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { writingTo } from '../../evaluation/runs/writable.ts'
import type { OutcomeFilter } from '../../probing/ports.ts'
import { isSure } from '../ask/ask.ts'
import { defineCommand, flag, text, texts } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, noneWithoutIndex, UsageError } from '../errors.ts'
import { badLineTexts } from '../render/text.ts'
import { defined } from '../../domain/defined.ts'
import { gradeOf, type Outcome, reasonOf, type Verdict } from '../../domain/outcome.ts'
import type { CardRecord } from '../../probing/record/record-by-card.ts'
import { left, right, tableOf } from '../render/table.ts'
import type { Output } from '../terminal.ts'

const simulatedOption = flag('--simulated', 'what was only simulated (`audition probe --simulate`)')
const recordOf = async ({ simulated }: { readonly simulated: boolean }, context: Context) => {
  const audition = await context.audition()
  return simulated ? audition.simulatedRecord() : audition.record()
}
const cardOption = texts('--card <id>', 'only outcomes of this tool or agent')

const exportCommand = defineCommand({
  description: 'Writes outcomes as JSON Lines, oldest first: to a file, or to standard output.',
  arguments: [{ syntax: '[file]', description: 'a file to write; without one, or as -, they are printed' }],
  options: { card: cardOption },
  examples: [
    { line: 'audition record export record.jsonl', does: 'everything, to take along or to keep' },
    { line: 'audition record export --card github/create_issue', does: 'one tool, to standard output' },
  ],
  async run({ words: [file], flags }, context) {
    const [{ outcomeLine }, record] = await Promise.all([
      import('../../probing/record/outcome-lines.ts'),
      context.audition().then((audition) => audition.record()),
    ])
    const outcomes = await record.list(flags.card.length === 0 ? {} : { cards: flags.card })
    const lines = [...outcomes].reverse().map(outcomeLine)
    if (file === undefined || file === '-') context.print(...lines)
    else {
      const text = lines.map((line) => `${line}\n`).join('')
      await writingTo(printableLine(file), () => writeFile(resolve(context.terminal.cwd, file), text))
      context.log(`Wrote ${countOf(lines.length, 'outcome')} to ${printableLine(file)}.`)
    }
    return exitCodes.done
  },
})

const importCommand = defineCommand({
  description:
    'Adds outcomes of a JSON Lines file, as `audition record export` writes it. Lines that hold no outcome are told and passed over, and make it end with 1; outcomes that are there already stay as they are.',
  arguments: [{ syntax: '<file>', description: 'a file with one outcome a line' }],
  options: {},
  examples: [{ line: 'audition record import record.jsonl', does: 'what another machine found out' }],
  async run({ words: [file = ''] }, context) {
    const path = resolve(context.terminal.cwd, file)
    const content = await readFile(path, 'utf8').catch((cause: unknown) => {
      throw new Error(`${printableLine(file)} cannot be read. Give a file of \`audition record export\`.`, {
        cause,
      })
    })
    const { readOutcomeLines } = await import('../../probing/record/outcome-lines.ts')
    const { outcomes, problems } = readOutcomeLines(content)
    const record = await (await context.audition()).record()
    const known = new Set((await record.list()).map(({ id }) => id))
    const fresh = new Map(outcomes.filter(({ id }) => !known.has(id)).map((outcome) => [outcome.id, outcome]))
    await record.add([...fresh.values()])
    context.log(...badLineTexts(file, problems))
    context.print(
      `Added ${countOf(fresh.size, 'outcome')}; there already: ${outcomes.length - fresh.size}; lines left out: ${problems.length}.`,
    )
    return problems.length > 0 ? exitCodes.failed : exitCodes.done
  },
})

const forgetCommand = defineCommand({
  description:
    'Forgets outcomes, and with them what they did to the ranking. Say which: --card, --before, or --all.',
  options: {
    card: cardOption,
    before: text('--before <date>', 'only outcomes before this day or time, for example 2026-01-31'),
    all: flag('--all', 'every outcome'),
    simulated: simulatedOption,
    yes: flag('--yes', 'do not ask'),
  },
  examples: [
    { line: 'audition record forget --card github/create_issue', does: 'its next run counts as the first' },
    { line: 'audition record forget --before 2026-01-01 --yes', does: 'keep this year' },
  ],
  async run({ flags }, context) {
    const filter = filterOf(flags)
    const record = await recordOf(flags, context)
    const { length } = await record.list(filter)
    if (length === 0) {
      context.print('No outcome matches. Nothing was forgotten.')
      return exitCodes.done
    }
    const isWanted =
      flags.yes || (await isSure(`Forget ${countOf(length, 'outcome')}?`, 'forget them', context))
    context.print(
      isWanted ? `Forgot ${countOf(await record.forget(filter), 'outcome')}.` : 'Nothing was forgotten.',
    )
    return exitCodes.done
  },
})

const maskCommand = defineCommand({
  description: [
    'Masks secrets in the outcomes and transcripts that are kept, of simulations too: values that launches of the tools and agents in the record',
    'fill in now, and tokens that show by their shape what they are. New ones are masked as they come; this is for what an',
    'older Audition kept. What was exported before stays as it is.',
  ].join(' '),
  options: { dryRun: flag('--dry-run', 'only say how many hold one') },
  examples: [
    { line: 'audition record mask', does: 'mask what is known as secret now' },
    { line: 'audition record mask --dry-run', does: 'how many hold a secret' },
  ],
  async run({ flags }, context) {
    const audition = await context.audition()
    const kept = await Promise.all([audition.record(), audition.simulatedRecord()])
    const outcomes = (await Promise.all(kept.map((record) => record.list()))).flat()
    const cards = await audition.cards([...new Set(outcomes.map(({ card }) => card))]).catch(noneWithoutIndex)
    const held = await (await audition.probing()).maskKept({ cards, write: !flags.dryRun })
    const what = `${countOf(held.outcomes, 'outcome')} and ${countOf(held.transcripts, 'transcript')}`
    context.print(flags.dryRun ? `A secret stands in ${what}.` : `Masked secrets in ${what}.`)
    return exitCodes.done
  },
})

/** @throws UsageError when it is not said what to forget, or a date is none */
function filterOf({
  card,
  before,
  all,
}: {
  readonly card: readonly string[]
  readonly before: string | undefined
  readonly all: boolean
}): OutcomeFilter {
  const isNarrow = card.length > 0 || before !== undefined
  if (all && isNarrow)
    throw new UsageError('--all forgets everything: give it alone, or --card and --before.')
  if (!all && !isNarrow) throw new UsageError('Say what to forget: --card <id>, --before <date>, or --all.')
  const time = before === undefined ? Number.NaN : Date.parse(before)
  if (before !== undefined && Number.isNaN(time))
    throw new UsageError(`--before takes a date as 2026-01-31 or 2026-01-31T12:00:00Z, not "${before}".`)
  return defined({
    cards: card.length === 0 ? undefined : card,
    before: before && new Date(time).toISOString(),
  })
}

/** `audition record`. */
export const command = defineCommand({
  description:
    'Shows the track record: what happened when tools and agents were run, and how often it worked. Search ranks by it.',
  options: { card: cardOption, simulated: simulatedOption, json: flag('--json', 'print it as JSON') },
  examples: [
    { line: 'audition record', does: 'every tool and agent that was ever run' },
    { line: 'audition record --card github/create_issue', does: 'its outcomes one by one' },
    { line: 'audition record export record.jsonl', does: 'write all of it to a file' },
    { line: 'audition record forget --before 2026-01-01', does: 'forget what is old' },
  ],
  subcommands: [
    { name: 'export', summary: 'write outcomes as JSON Lines', command: exportCommand },
    { name: 'import', summary: 'add outcomes of a JSON Lines file', command: importCommand },
    { name: 'mask', summary: 'mask secrets in what is kept', command: maskCommand },
    { name: 'forget', summary: 'forget outcomes', command: forgetCommand },
  ],
  async run({ flags }, context) {
    const record = await recordOf(flags, context)
    const isNarrow = flags.card.length > 0
    const wanted = isNarrow ? { cards: flags.card } : {}
    const outcomes = isNarrow ? await record.list(wanted) : []
    const { recordByCard } = await import('../../probing/record/record-by-card.ts')
    const cards = recordByCard(await record.brief(wanted))
    if (flags.json) context.printJson(isNarrow ? { cards, outcomes } : { cards })
    else if (cards.length === 0) {
      const what = isNarrow
        ? `Nothing is recorded of ${flags.card.map(printableLine).join(', ')}.`
        : 'Nothing was run yet.'
      context.print(
        `${what} \`audition probe${flags.simulated ? ' --simulate' : ''}\` runs candidates and records what happens.`,
      )
    } else {
      const { stdout } = context.terminal
      context.print(...cardRecordLines(cards, stdout))
      if (isNarrow) context.print('', ...outcomeLines(outcomes, stdout))
    }
    return exitCodes.done
  },
})

/** A row per card. */
function cardRecordLines(records: readonly CardRecord[], output: Output): readonly string[] {
  const isUsed = records.some(({ uses }) => uses > 0)
  return tableOf(records, output, [
    left('card', ({ card }) => card, { paint: output.paint.cyan }),
    right('runs', ({ runs }) => runs),
    right('graded', ({ graded }) => graded),
    right('worked', ({ worked, graded }) => shareText(worked, graded)),
    ...(isUsed
      ? [
          right<CardRecord>('uses', ({ uses }) => uses),
          right<CardRecord>('answered', ({ answered, uses }) => shareText(answered, uses)),
        ]
      : []),
    right('median', ({ medianSeconds: median }) => (median === null ? '–' : `${median.toFixed(1)} s`)),
    left('last', ({ last }) => minute(last)),
  ])
}

const shareText = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${part} (${Math.round((100 * part) / whole)} %)`

/** A row per outcome of one card. */
function outcomeLines(outcomes: readonly Outcome[], output: Output): readonly string[] {
  return tableOf(outcomes, output, [
    left('time', ({ time }) => minute(time)),
    right('grade', ({ verdict }) => gradeOf(verdict) ?? '–'),
    right('took', ({ seconds }) => `${seconds.toFixed(1)} s`),
    left('ended', ({ use, ending }) => use ?? ending),
    left('task', ({ task }) => printableLine(task) || '–', { least: 16 }),
    left(
      'verdict',
      ({ use, verdict }) => (use === undefined ? saidOf(verdict) : 'a use, which nobody judged'),
      { least: 16 },
    ),
  ])
}

const saidOf = (verdict: Verdict | null): string =>
  verdict === null ? 'not graded' : `${gradeOf(verdict) === null ? 'not graded: ' : ''}${reasonOf(verdict)}`

/** To the minute, in UTC. */
const minute = (time: string): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ')
