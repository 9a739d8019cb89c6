import { shellWord } from '../../domain/text/shell-word.ts'
import { flagNames } from '../../domain/finding.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { asSentence, withRemedy } from '../../domain/remedy-error.ts'
import type { Obstacle, ScoredCard, SearchAnswer, Signals } from '../../retrieval/answer.ts'
import { recordText } from '../../retrieval/record/record-text.ts'
import { flaggedAdvice, flaggedCard } from './problem-lines.ts'
import { left, right, tableOf } from './table.ts'
import type { Output } from '../terminal.ts'
import { fitText, paragraphsInLine, wrapText } from './text.ts'

const titles = { tool: 'Tools', agent: 'Agents' } as const

/** An answer as a short table for people: heading, candidates, and the truth about weak matches. */
export function answerLines(
  answer: SearchAnswer,
  output: Output,
  detail: 'table' | 'why',
): readonly string[] {
  const { paint } = output
  const { kind, candidates, searched, match } = answer
  const heading = `${paint.bold(titles[kind])} ${paint.dim(`(${match === 'good' ? 'good match, ' : ''}${searched} searched)`)}`
  const verdict = verdictLines(answer, output)
  const steps = stepLines(answer)
  if (candidates.length === 0) return [heading, ...verdict]
  const rows = detail === 'table' ? candidateTable(candidates, output) : candidateBlocks(candidates, output)
  return [
    heading,
    ...verdict,
    ...steps,
    ...rows,
    ...(detail === 'why' ? rerankingLines(answer) : copyLines(candidates, output)),
    ...flagLines(candidates, output),
    ...obstacleLines(candidates, output),
  ]
}

function verdictLines(
  { kind, candidates, match, note, searched }: SearchAnswer,
  { paint }: Output,
): readonly string[] {
  const said = printableLine(note)
  if (match === 'good') return said === '' ? [] : [paint.yellow(said)]
  if (match === 'weak') return [paint.yellow(`Weak match. ${said}`.trim())]
  const advice =
    searched === 0
      ? `Drop the filter if there is one, or index a source that has ${kind}s.`
      : `Say it in other words, or index a source that has such ${kind}s${candidates.length > 0 ? '; what stands below is only the nearest' : ''}.`
  return [paint.yellow(`No good match. ${said}`.trim()), paint.dim(advice)]
}

const stepLines = ({ readAs, facets }: SearchAnswer): readonly string[] => [
  ...(readAs === undefined ? [] : [`  read as: ${printableLine(readAs)}`]),
  ...(facets.length < 2 ? [] : facets.map((facet, index) => `  step ${index + 1}: ${printableLine(facet)}`)),
]

/** What the reranker did and took. */
function rerankingLines({ reranking }: SearchAnswer): readonly string[] {
  if (reranking === undefined) return []
  const { model, candidates, requests, tokens, cost, failure, answeredAs, reasons = {} } = reranking
  const took = [
    answeredAs === undefined ? '' : `answered as ${answeredAs}`,
    requests === 0 ? '' : countOf(requests, 'request'),
    tokens === undefined ? '' : `${tokens.input} + ${tokens.output} tokens`,
    cost === undefined ? '' : `$${cost.toFixed(4)}`,
  ].filter((part) => part !== '')
  const read = [`read ${countOf(candidates, 'candidate')}`, ...took].join(', ')
  const failed = `failed: ${asSentence(failure ?? '')}${took.length === 0 ? '' : ` It took ${took.join(', ')}.`}`
  return [
    printableLine(`Reranker ${model} ${failure === undefined ? `${read}.` : failed}`),
    ...Object.entries(reasons).map(([id, reason]) => `  ${printableLine(`${id}: "${reason}"`)}`),
  ]
}

function candidateTable(candidates: readonly ScoredCard[], output: Output): readonly string[] {
  const named = candidates.some(({ card }) => label(card) !== '')
  const isMixed = candidates.some(({ signals }) => signals.provenance !== undefined)
  return tableOf(candidates, output, [
    right('#', (_, at) => at + 1),
    left('id', ({ card }) => card.id, { paint: output.paint.cyan }),
    ...(named ? [left<ScoredCard>('name', ({ card }) => label(card), { least: 8 })] : []),
    ...(isMixed ? [left<ScoredCard>('from', ({ signals }) => signals.provenance ?? 'installed')] : []),
    right('score', ({ score }) => scoreText(score)),
    left('description', ({ card }) => paragraphsInLine(card.description), { least: 16 }),
  ])
}

/** Near-copies that were folded, by the rank of who stands for them. */
const copyLines = (candidates: readonly ScoredCard[], { paint }: Output): readonly string[] =>
  candidates.flatMap(({ signals: { duplicates } }, index) =>
    duplicates.length === 0
      ? []
      : [paint.dim(`  #${index + 1} stands for near-copies: ${duplicates.map(printableLine).join(', ')}`)],
  )

/** Candidates whose text the scan flagged, by rank. */
function flagLines(candidates: readonly ScoredCard[], { paint }: Output): readonly string[] {
  const flagged = candidates.flatMap(({ card }, index) =>
    flagNames(card).length === 0 ? [] : [`  #${index + 1} ${flaggedCard(card)}`],
  )
  if (flagged.length === 0) return []
  return [`Flagged by the scan; ${flaggedAdvice}:`, ...flagged].map(paint.yellow)
}

/** Candidates that cannot run here, by rank: told of answers that were asked for running. */
function obstacleLines(candidates: readonly ScoredCard[], { paint }: Output): readonly string[] {
  const hindered = candidates.flatMap(({ card, signals: { obstacle } }, index) =>
    obstacle === undefined
      ? []
      : [`  #${index + 1} ${printableLine(card.id)}: ${obstacleText(card.id, obstacle)}`],
  )
  return hindered.length === 0 ? [] : ['Cannot run here as things stand:', ...hindered].map(paint.yellow)
}

const obstacleText = (id: string, obstacle: Obstacle): string =>
  obstacle.kind === 'permission'
    ? `not allowed yet; \`audition allow ${shellWord(printableLine(id), process.platform)}\` shows what it would start, and asks`
    : printableLine(withRemedy(obstacle.message, obstacle.remedy))

/** What a person calls the card, or nothing when the id already says it. */
function label({ id, name, title }: ScoredCard['card']): string {
  const said = printableLine(title ?? name)
  return id.toLowerCase().endsWith(`/${said.toLowerCase().replaceAll(' ', '-')}`) ? '' : said
}

function candidateBlocks(candidates: readonly ScoredCard[], output: Output): readonly string[] {
  const { paint, columns } = output
  const room = Math.max(20, (columns ?? 100) - 4)
  return candidates.flatMap(({ card, score, signals }, index) => [
    `${index + 1}. ${paint.cyan(printableLine(card.id))}  ${scoreText(score)}  ${paint.dim(fitText(label(card), room))}`.trimEnd(),
    ...wrapText(paragraphsInLine(card.description), room)
      .slice(0, 2)
      .map((line) => `   ${line}`),
    ...signalTexts(signals).flatMap((text) => wrapText(text, room).map((line) => paint.dim(`   ${line}`))),
  ])
}

const provenanceTexts: { readonly [tier in NonNullable<Signals['provenance']>]: string } = {
  proven: 'proven: of a stranger, and it worked here',
  accepted: 'accepted: of a source that you trust',
  stranger: 'stranger: others published it',
  newcomer: 'newcomer: others published it, not long ago',
  distrusted: 'distrusted: of a source that you distrust',
}

/** The signals of a candidate in words, the plainest first. */
function signalTexts(signals: Signals): readonly string[] {
  const {
    lexical,
    dense,
    reading,
    crossEncoder,
    coverage,
    matched,
    lift,
    facets,
    duplicates,
    standsBack,
    record,
  } = signals
  const { provenance } = signals
  const words = matched.map(printableLine).join(', ')
  return [
    words === ''
      ? 'matched: no word of the query'
      : `matched: ${words} (${Math.round(coverage * 100)} % of the query's information)`,
    [
      lexical === undefined ? '' : `words (BM25) ${lexical.toFixed(2)}`,
      dense === undefined ? '' : `meaning (cosine) ${dense.toFixed(3)}`,
      reading === undefined ? '' : `reading (cosine) ${reading.toFixed(3)}`,
      crossEncoder === undefined ? '' : `relevance (reranker) ${crossEncoder.toFixed(3)}`,
      lift === undefined
        ? ''
        : `lifted by ${printableLine(lift.from)}: ${Math.round(lift.share * 100)} % of its score`,
    ]
      .filter((part) => part !== '')
      .join('; '),
    provenance === undefined ? '' : provenanceTexts[provenance],
    standsBack === undefined
      ? ''
      : `stands back (${Math.round(standsBack.share * 100)} % of its score) because ${printableLine(standsBack.because)}; \`${printableLine(standsBack.lift)}\` lifts it`,
    record === undefined
      ? ''
      : `record: ${recordText(record)} (${Math.round(record.estimate * 100)} % expected here)`,
    facets.length === 0 ? '' : `serves step ${facets.map((facet) => facet + 1).join(', ')}`,
    duplicates.length === 0 ? '' : `stands for near-copies: ${duplicates.map(printableLine).join(', ')}`,
  ].filter((text) => text !== '')
}

const scoreText = (score: number): string => score.toFixed(3)
