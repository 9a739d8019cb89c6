import { cutWithin } from '../../domain/text/cut.ts'
import type { Card } from '../../domain/card.ts'
import { countOf } from '../../domain/text/count-of.ts'
import type { EvaluationRun, QueryOutcome } from '../evaluation-run.ts'
import { alikeCards, cardOfSelfQuery } from './self-dataset.ts'
import { type SourceStandsBack, sourceReasons } from '../../retrieval/defences/sources-standing-back.ts'
import { analyzeQuery } from '../../retrieval/text/analyze.ts'

/** Something about a card that keeps it from being found, and what to do. */
export type SearchFinding = {
  readonly kind: 'duplicate' | 'shadowed' | 'unfindable' | 'stands-back' | 'thin' | 'undocumented-inputs'
  readonly card: string
  /** Other cards that are part of it. */
  readonly others: readonly string[]
  readonly message: string
  readonly remedy: string
}

/** Telling words a description should have beyond the name. */
const leastWords = 5
/** Queries by which a card can be called shadowed. */
const leastQueries = 2
/** Inputs from which missing descriptions are worth telling. */
const leastInputs = 2

/**
 * What a run over {@link selfDataset} and the cards themselves tell of the catalog, worst first: cards nobody can find,
 * cards that always stand behind the same other one, things listed twice, and descriptions that say too little. The last
 * two are told of cards that nothing was asked of, too.
 *
 * @param against - what the defences hold against sources, whatever is asked for
 */
export function selfFindings(
  cards: readonly Card[],
  run: Pick<EvaluationRun, 'outcomes'>,
  against: readonly SourceStandsBack[] = [],
): readonly SearchFinding[] {
  const alike = alikeCards(cards)
  return [
    ...fromOutcomes(run.outcomes, alike),
    ...against.flatMap(standsBackFindings),
    ...alike.map(duplicateFinding),
    ...cards.flatMap(fromCard),
  ].sort(
    (a, b) =>
      order.indexOf(a.kind) - order.indexOf(b.kind) || (a.card < b.card ? -1 : a.card > b.card ? 1 : 0),
  )
}

const order: readonly SearchFinding['kind'][] = [
  'unfindable',
  'shadowed',
  'stands-back',
  'duplicate',
  'thin',
  'undocumented-inputs',
]

function fromOutcomes(
  outcomes: readonly QueryOutcome[],
  alike: readonly (readonly string[])[],
): SearchFinding[] {
  const groups = new Map(alike.flatMap((group) => group.map((id) => [id, group] as const)))
  const byCard = new Map<string, QueryOutcome[]>()
  for (const outcome of outcomes) {
    const card = cardOfSelfQuery(outcome.id)
    byCard.set(card, [...(byCard.get(card) ?? []), outcome])
  }
  return [...byCard].flatMap(([card, asked]) => {
    const own = new Set(groups.get(card) ?? [card])
    const missed = asked.filter(({ candidates }) => !candidates.slice(0, 10).some(({ id }) => own.has(id)))
    if (missed.length === asked.length) return [unfindable(card, asked)]
    const first = asked.map(({ candidates }) => candidates[0]?.id)
    const rival = first.find((id) => id !== undefined && !own.has(id))
    const isShadowed =
      asked.length >= leastQueries && rival !== undefined && first.every((id) => id === rival)
    return isShadowed ? [shadowed(card, rival, asked.length)] : []
  })
}

const unfindable = (card: string, asked: readonly QueryOutcome[]): SearchFinding => ({
  kind: 'unfindable',
  card,
  others: [...new Set(asked.flatMap(({ candidates }) => candidates.slice(0, 1).map(({ id }) => id)))],
  message: `is not among the first ten for ${asked.length === 1 ? 'a request' : `any of ${asked.length} requests`} in its own words, for example "${short(asked[0]!.text)}"`,
  remedy: 'Say in the description what it does and for what, in the words a user would take; add examples.',
})

const shadowed = (card: string, rival: string, queries: number): SearchFinding => ({
  kind: 'shadowed',
  card,
  others: [rival],
  message: `stands behind "${rival}" for all ${queries} requests in its own words`,
  remedy: 'Say in both descriptions what tells them apart, or drop one of them.',
})

const standsBackFindings = (one: SourceStandsBack): readonly SearchFinding[] =>
  sourceReasons(one).map(({ cards: [first, ...others], text, lift }) => ({
    kind: 'stands-back',
    card: first!,
    others,
    message: `belongs to "${one.source}", of which ${countOf(others.length + 1, 'card')} ${text}`,
    remedy: `If you trust what the source says, \`${lift}\` lifts it.`,
  }))

const duplicateFinding = ([first, ...others]: readonly string[]): SearchFinding => ({
  kind: 'duplicate',
  card: first!,
  others,
  message: `is listed ${others.length + 1} times; search shows one of them`,
  remedy: 'Forget one source with `audition sources remove`, or rename the card if it is another thing.',
})

function fromCard(card: Card): SearchFinding[] {
  const nameTerms = new Set(analyzeQuery(`${card.name} ${card.title ?? ''}`).map(({ term }) => term))
  const own = analyzeQuery(card.description).filter(({ term }) => !nameTerms.has(term))
  const findings: SearchFinding[] = []
  if (own.length < leastWords) {
    findings.push({
      kind: 'thin',
      card: card.id,
      others: [],
      message:
        card.description.trim() === ''
          ? 'has no description'
          : `has a description that adds ${own.length} ${own.length === 1 ? 'word' : 'words'} to its name`,
      remedy: 'Write one or two sentences: what it does, on what, and when to choose it.',
    })
  }
  const bare =
    card.kind === 'tool' ? card.parameters.filter(({ description }) => description.trim() === '') : []
  if (card.kind === 'tool' && bare.length >= leastInputs && bare.length === card.parameters.length) {
    findings.push({
      kind: 'undocumented-inputs',
      card: card.id,
      others: [],
      message: `describes none of its ${bare.length} inputs`,
      remedy: 'Give each property of the input schema a description: callers and search read them.',
    })
  }
  return findings
}

const short = (text: string): string => cutWithin(text, 80)

/** Findings of one kind as a reader is told of them, the worst kind first. */
export const findingTitles: { readonly [kind in SearchFinding['kind']]: string } = {
  unfindable: 'Cards nobody can find',
  shadowed: 'Cards that stand behind another one',
  'stands-back': 'Sources whose cards stand back',
  duplicate: 'Cards that are listed more than once',
  thin: 'Descriptions that say too little',
  'undocumented-inputs': 'Inputs without descriptions',
}
