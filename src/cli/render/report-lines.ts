import type { IndexReport, SourceReport } from '../../compose/app.ts'
import type { Problem } from '../../catalog/ports.ts'
import type { EnrichmentReport } from '../../indexing/enrich-cards.ts'
import type { NotAsked } from '../../indexing/index-report.ts'
import type { Sending } from '../../store/catalog-writer.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import { failureLines, problemLines, serverReader } from './problem-lines.ts'
import { apart, differenceLines, unreadText } from './text.ts'
import type { Output } from '../terminal.ts'
import { left, right, tableOf } from './table.ts'

/** Problems shown; the rest are counted. */
const shownProblems = 20

/** An index run for people: a row per source, then failures, problems, what is held, and in the last line the sum. */
export function reportLines(
  report: IndexReport,
  output: Output,
  { mode, platform }: { readonly mode: 'written' | 'dryRun'; readonly platform: string },
): readonly string[] {
  const { paint } = output
  const problems = [...report.problems, ...report.sources.flatMap((source) => source.problems)]
  const shown = problemLines(problems, output, shownProblems)
  const parts: readonly (readonly string[])[] = [
    sourceTable(report.sources, output),
    failureLines(report.sources, output),
    shown.length === 0 ? [] : [paint.bold(countOf(problems.length, 'problem')), ...shown],
    notAskedLines(report),
    report.sources.flatMap(changedLines(platform)),
    mode === 'dryRun' ? report.sources.flatMap((source) => foundLines(source, output)) : [],
    report.sources.flatMap((source) => heldLine(source, output, { mode, platform })),
    bundledLine(report),
    mode === 'dryRun'
      ? [report.enriching, report.sending].flatMap((sending) => (sending ? [sendingLine(sending)] : []))
      : [],
    report.enrichment ? enrichmentLines(report.enrichment) : [],
    report.tooManyToRead ? [unreadText(report.tooManyToRead)] : [],
    [[sumLine(report, mode), ...serversLine(report)].join(' ')],
  ]
  return apart(parts)
}

/** What a model that others run would be sent, and for how much. */
export function sendingLine({ purpose, host, model, texts, tokens, cost }: Sending): string {
  // The vectors of all cards are kept.
  if (texts === 0)
    return `No card, but the requests of searches would be sent to ${printableLine(host)} (${printableLine(model)}).`
  const price =
    cost === undefined
      ? `Its price is not known; "prices" of settings.yaml states it.`
      : `About $${cost.toPrecision(2)}.`
  const what = `${countOf(texts, 'card')}, about ${countOf(tokens, 'token')}`
  return `To be ${purpose === 'embedding' ? 'embedded' : 'enriched'}, ${what} would be sent to ${printableLine(host)} (${printableLine(model)}). ${price}`
}

/** What was written of thin cards, and what was not. */
function enrichmentLines({ model, written, refused, left, failure }: EnrichmentReport): readonly string[] {
  const parts = [
    `${countOf(written, 'card')} enriched by ${printableLine(model)}`,
    ...(refused === 0 ? [] : [`${countOf(refused, 'answer')} not used, for the scan or the form`]),
    ...(left === 0 ? [] : [`${countOf(left, 'card')} left: \`audition index --enrich\` goes on`]),
  ]
  return [`${parts.join('; ')}.`, ...(failure === undefined ? [] : [printableLine(failure)])]
}

/** Whether a source, a part of one, or a place that was named could not be read, or a source whose cards were all left out. */
export const hasFailure = ({ sources, problems }: IndexReport): boolean =>
  sources.some(
    (source) => source.failure !== undefined || source.unread !== undefined || gaveNothing(source),
  ) || problems.some(isError)

/** One bad card beside good ones is told; where all are bad, who named the place has none of what it is for. */
const gaveNothing = ({ added, changed, unchanged, held, models, problems }: SourceReport): boolean =>
  added + changed + unchanged + (models === undefined ? 0 : models.cards + models.tasks) === 0 &&
  held === undefined &&
  problems.some(isError)

const isError = ({ severity }: Problem): boolean => severity === 'error'

function sourceTable(sources: readonly SourceReport[], output: Output): readonly string[] {
  return tableOf(sources, output, [
    left('source', ({ source }) => source, { paint: output.paint.cyan }),
    ...(['added', 'changed', 'unchanged', 'removed'] as const).map((count) =>
      right<SourceReport>(count, (source) => source[count]),
    ),
    left('state', stateOf, { least: 8 }),
    left('location', ({ location }) => location, { least: 12 }),
  ])
}

/** What a source says of language models. */
export const modelsText = ({ cards, tasks }: NonNullable<SourceReport['models']>): string =>
  cards > 0 ? countOf(cards, 'model') : `outcomes of ${countOf(tasks, 'task')}`

function stateOf({ failure, problems, notAsked, models }: SourceReport): string {
  if (failure !== undefined) return 'failed'
  if (models !== undefined && problems.length === 0) return modelsText(models)
  if (notAsked !== undefined && notAsked !== 'unchanged') return 'not asked'
  return problems.length === 0 ? 'ok' : countOf(problems.length, 'problem')
}

/** Servers that were not to be started are no problem, and their tools are missing or old all the same. */
function notAskedLines({ sources, ofOtherProjects = 0 }: IndexReport): readonly string[] {
  const count = (why: NotAsked): number => sources.filter(({ notAsked }) => notAsked === why).length
  const reasons: readonly (readonly [number, string])[] = [
    [count('unwanted'), 'as --no-harvest says'],
    [count('not agreed'), 'for nobody agreed to start them'],
    [count('launch changed'), 'for what they start changed since you agreed'],
    [count('declined'), 'as you chose'],
    [
      count('other project') + ofOtherProjects,
      'for they belong to other projects (run `audition index` there)',
    ],
  ]
  return reasons.flatMap(([number, why]) =>
    number === 0
      ? []
      : [
          `Not asked for tools, ${why}: ${countOf(number, 'MCP server')}. What was read of them before stays.`,
        ],
  )
}

/** What was agreed to and what stands there now, and the line by which a person decides. */
const changedLines =
  (platform: string) =>
  ({ source, location, launchChanged }: SourceReport): readonly string[] =>
    launchChanged === undefined
      ? []
      : [
          `${printableLine(source)} changed since you agreed to start it. To look and decide: audition index ${shellWord(printableLine(location), platform)}`,
          ...differenceLines(launchChanged),
        ]

/** What became of the MCP servers, in one sentence. */
function serversLine({ sources }: IndexReport): readonly string[] {
  const servers = sources.filter(({ reader }) => reader === serverReader)
  const wanted = servers.filter(
    ({ notAsked }) => notAsked === undefined || notAsked === 'unchanged' || notAsked === 'failed before',
  )
  const failed = wanted.filter(({ failure }) => failure !== undefined)
  const before = failed.filter(({ notAsked }) => notAsked === 'failed before')
  const unchanged = wanted.filter(({ notAsked }) => notAsked === 'unchanged')
  const answered = wanted.length - failed.length - unchanged.length
  if (wanted.length === 0) return []
  const parts = [
    answered > 0 || failed.length > before.length
      ? `${answered} of ${countOf(wanted.length, 'MCP server')} answered`
      : `None of ${countOf(wanted.length, 'MCP server')} was asked`,
    ...(unchanged.length > 0 ? [`${unchanged.length} answered within a day`] : []),
    ...(failed.length > before.length ? [`${failed.length - before.length} failed`] : []),
    ...(before.length > 0 ? [`${before.length} failed before`] : []),
  ]
  const next = [
    ...(failed.length > 0 ? ['see `audition doctor`'] : []),
    ...(unchanged.length + before.length > 0 ? ['`--refresh` asks all'] : []),
  ]
  return [`${parts.join(', ')}${next.length > 0 ? `: ${next.join('; ')}` : ''}.`]
}

/** Findings and held changes of one source that a dry run lists; the rest are counted. */
const shownFindings = 10

function foundLines({ findings = [], changes = [] }: SourceReport, { paint }: Output): readonly string[] {
  const lines = [
    ...findings.flatMap(({ card, findings: found }) =>
      found.map(({ severity, rule, field, message }) => {
        const mark = severity === 'hard' ? paint.red('quarantine') : paint.yellow('flag      ')
        return `${mark}  ${printableLine(card)} ${printableLine(field)}: ${rule}, ${printableLine(message)}`
      }),
    ),
    ...changes.map(({ card, change, replaces }) => {
      const was = replaces === undefined || replaces === card ? '' : ` (was ${printableLine(replaces)})`
      return `${paint.yellow('hold      ')}  ${printableLine(card)}${was}: ${changeTexts[change]}`
    }),
  ]
  const more = lines.length - shownFindings
  return more > 0 ? [...lines.slice(0, shownFindings), `… and ${more} more; --json lists them all`] : lines
}

const changeTexts = {
  text: 'it says something else than the card in search',
  name: 'it was renamed',
  server: 'another server answers',
} as const

/** One line for a source that holds cards: how many, what happens meanwhile, and what to do. */
function heldLine(
  { source, held, version }: SourceReport,
  { paint }: Output,
  { mode, platform }: { readonly mode: 'written' | 'dryRun'; readonly platform: string },
): readonly string[] {
  const { changed = 0, quarantined = 0 } = held ?? {}
  if (changed + quarantined === 0) return []
  const counts = [
    changed === 0
      ? ''
      : `${changed} changed (the old ${changed === 1 ? 'one stays' : 'ones stay'} in search)`,
    quarantined === 0 ? '' : `${quarantined} quarantined`,
  ].filter((count) => count !== '')
  const name = printableLine(source)
  const bumped =
    version === undefined ? '' : ` ${printableLine(version.before)} -> ${printableLine(version.now)}`
  const next = mode === 'dryRun' ? '' : ` See: audition sources show ${shellWord(name, platform)}`
  return [
    `${paint.yellow(mode === 'dryRun' ? 'would hold' : 'held')}  ${name}${bumped}: ${counts.join(', ')}.${next}`,
  ]
}

function bundledLine({ bundledCardsLeft, demoCardsLeft = 0 }: IndexReport): readonly string[] {
  if (bundledCardsLeft === undefined) return []
  const left = [
    [bundledCardsLeft - demoCardsLeft, 'card', 'the catalog', 'index bundled'] as const,
    [demoCardsLeft, 'agent', 'the demonstration', 'index bundled:demo'] as const,
  ].filter(([count]) => count > 0)
  const back = left.map(
    ([count, what, part, command]) =>
      `\`audition ${command}\` brings back ${countOf(count, what)} of ${part}`,
  )
  return [`What ships with Audition is off, now that you have sources of your own: ${back.join(', ')}.`]
}

const sumLine = ({ tools, agents, seconds }: IndexReport, mode: 'written' | 'dryRun'): string => {
  const counts = `${countOf(tools, 'tool')} and ${countOf(agents, 'agent')}`
  return mode === 'written'
    ? `${counts} in the store, after ${seconds.toFixed(1)} s.`
    : `${counts} would be in the store. Nothing was written (--dry-run).`
}
