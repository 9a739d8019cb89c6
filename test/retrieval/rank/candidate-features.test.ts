import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolCard } from '../../../src/domain/card.ts'
import { analyzeQuery } from '../../../src/retrieval/text/analyze.ts'
import { inverseDocumentFrequency } from '../../../src/retrieval/index/postings.ts'
import {
  type CandidateEvidence,
  candidateFeatures,
  evidenceOfText,
  featureNames,
} from '../../../src/retrieval/rank/candidate-features.ts'
import { type CardIndex, openCardIndex, packCardIndex } from '../../../src/retrieval/index/card-index.ts'
import type { ScoreList } from '../../../src/retrieval/rank/fusion.ts'
import { matchedTokens } from '../../../src/retrieval/rank/soft-match.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { wordMatcher } from '../../fakes/word-matcher.ts'
import { anyText } from '../arbitrary-text.ts'

const matcher = wordMatcher([
  { word: 'kob', direction: 0, inQuery: 3, inDocument: 2 },
  { word: 'lum', direction: 60 }, // cosine 1/2 to kob
  { word: 'vax', direction: 90, inQuery: 1, inDocument: 4 },
])

type Feature = (typeof featureNames)[number]
type Row = { readonly [feature in Feature]: number }

const indexOf = (
  cards: readonly ToolCard[],
  tokens: 'with tokens' | 'without tokens' = 'with tokens',
): CardIndex =>
  openCardIndex(packCardIndex(cards, { tokensOf: tokens === 'with tokens' ? matchedTokens(matcher) : null }))!

/** What search finds of the words; cosines as told. */
function evidenceOf(index: CardIndex, text: string, dense: ScoreList = new Map()): CandidateEvidence {
  const query = analyzeQuery(text)
  const { documents, scores } = index.search(query, 100, null)
  const lexical = new Map(Array.from(documents, (document, rank) => [document, scores[rank]!]))
  const found = { index, probe: index.probe(query), lexical, dense, cosineOf: () => Number.NaN }
  return { ...found, ...evidenceOfText(index, text, matcher) }
}

function rowsOf(evidence: CandidateEvidence, documents: readonly number[]): readonly Row[] {
  const rows = candidateFeatures(evidence, documents)
  expect(rows).toHaveLength(documents.length * featureNames.length)
  return documents.map(
    (_, place) =>
      Object.fromEntries(
        featureNames.map((name, column) => [name, rows[place * featureNames.length + column]!]),
      ) as Row,
  )
}

const close = (expected: { readonly [feature: string]: number }) =>
  Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [
      name,
      Number.isNaN(value) ? Number.NaN : expect.closeTo(value, 4),
    ]),
  )

test('a feature has one name', () => {
  expect(new Set(featureNames).size).toBe(featureNames.length)
})

describe('the rows of three cards by hand', () => {
  const index = indexOf([
    toolCard('a/0', { name: 'kob', description: 'kob vax', server: 's' }),
    toolCard('b/1', { name: 'lum', description: 'vax', server: 's' }),
    toolCard('c/2', { name: 'lum dorn', description: 'dorn' }),
  ])
  // The query holds kob (one card), vax (two cards) and quorv (none).
  const text = 'kob vax quorv'
  const [kob, vax, quorv] = [1, 2, 0].map((having) => inverseDocumentFrequency(3, having)) as [
    number,
    number,
    number,
  ]
  const all = kob + vax + quorv
  const dense: ScoreList = new Map([
    [1, 0.8],
    [0, 0.4],
  ])
  const evidence = { ...evidenceOf(index, text, dense), cosineOf: (document: number) => document / 10 }
  const [first, second] = [...evidence.lexical.values()] as [number, number]
  const documents = [1, 0, 2]
  const [one, zero, two] = rowsOf(evidence, documents) as [Row, Row, Row]

  test('words find the first two cards', () => {
    expect([...evidence.lexical.keys()]).toEqual([0, 1])
  })

  // Half by coverage, three tenths by the name, two tenths of the name.
  const firstScore = 0.5 * 1 + 0.3 * (3 / 4) + 0.2 * 1
  const dispatched = (3 * 0.5 + Math.cos(Math.PI / 6)) / 4
  const secondScore = 0.5 * ((3 * 0.5 + 1) / 4) + 0.3 * dispatched + 0.2 * Math.cos(Math.PI / 6)

  // Weights of the ranks 0, 1 and 2 of a family's speakers, in 210ths: 42, 35, 30.
  const lift = (share: number, ofCatalog: number) => Math.log((share + 0.02) / (ofCatalog + 0.02))

  test.each([
    {
      why: 'the best of the words, second of the vectors',
      row: zero,
      expected: {
        bm25: 1,
        'bm25-absolute': first / (3 * all),
        'bm25-rank': 1,
        coverage: (kob + vax) / all,
        'coverage-name': kob / all,
        'coverage-description': (kob + vax) / all,
        'coverage-parameters': 0,
        'coverage-examples': 0,
        'coverage-body': 0,
        'terms-found': 2 / 3,
        'name-covered': 1,
        // `examples` holds the server.
        length: Math.log(1 + 4),
        cosine: 0.4,
        'cosine-gap': -0.4,
        'cosine-scaled': 0,
        'cosine-rank': 61 / 62,
        fused: 0.5,
        'soft-score': firstScore,
        'soft-gap': 0,
        'soft-coverage': 1,
        'soft-by-name': 3 / 4,
        'soft-of-name': 1,
        'soft-weakest': 1,
        'family-share': 42 / 72,
        'family-lift': lift(42 / 72, 2 / 3),
      },
    },
    {
      why: 'the best of the vectors, second of the words',
      row: one,
      expected: {
        bm25: second / first,
        'bm25-absolute': second / (3 * all),
        'bm25-rank': 61 / 62,
        coverage: vax / all,
        'coverage-name': 0,
        'coverage-description': vax / all,
        'coverage-parameters': 0,
        'coverage-examples': 0,
        'coverage-body': 0,
        'terms-found': 1 / 3,
        'name-covered': 0,
        length: Math.log(1 + 3),
        cosine: 0.8,
        'cosine-gap': 0,
        'cosine-scaled': 1,
        'cosine-rank': 1,
        fused: 0.5 + (0.5 * second) / first,
        // kob meets lum with 1/2, vax itself.
        'soft-coverage': (3 * 0.5 + 1) / 4,
        'soft-score': secondScore,
        'soft-gap': secondScore - firstScore,
        'soft-by-name': (3 * 0.5 + Math.cos(Math.PI / 6)) / 4,
        'soft-of-name': Math.cos(Math.PI / 6),
        'soft-weakest': 0.5,
        'family-share': 35 / 65,
        'family-lift': lift(35 / 65, 2 / 3),
      },
    },
    {
      why: 'found by neither: the cosine is asked for, and scaled to nothing below the list',
      row: two,
      expected: {
        bm25: 0,
        'bm25-absolute': 0,
        'bm25-rank': 0,
        coverage: 0,
        'coverage-name': 0,
        'coverage-description': 0,
        'terms-found': 0,
        'name-covered': 0,
        length: Math.log(1 + 3),
        cosine: 0.2,
        'cosine-gap': -0.6,
        'cosine-scaled': 0,
        'cosine-rank': 0,
        fused: 0,
        'soft-coverage': (3 * 0.5 + Math.cos(Math.PI / 6)) / 4,
        'soft-by-name': (3 * 0.5 + Math.cos(Math.PI / 6)) / 4,
        'soft-of-name': Math.cos(Math.PI / 6),
        'soft-weakest': 0.5,
        'family-share': 0,
        'family-lift': lift(0, 1 / 3),
      },
    },
  ])('$why', ({ row, expected }) => {
    expect(row).toMatchObject(close(expected))
  })

  test('what is told of the query is the same in every row', () => {
    for (const row of [one, zero, two])
      expect(row).toMatchObject(
        close({
          'query-terms': 3,
          'query-unknown': quorv / all,
          'query-bm25': first / (3 * all),
          'query-cosine': 0.8,
          'query-spread': 0.4,
          corpus: Math.log(4),
        }),
      )
  })

  test('places tell the order of the candidates, of their families, and of the soft matches', () => {
    const second = 61 / 62
    expect([one, zero, two].map((row) => row['fused-rank'])).toEqual(
      [1, second, 61 / 63].map((rank) => expect.closeTo(rank, 5)),
    )
    expect([one, zero, two].map((row) => row['family-rank'])).toEqual(
      [1, second, 1].map((rank) => expect.closeTo(rank, 5)),
    )
    expect(zero['soft-rank']).toBe(1)
    expect(one['soft-rank']).toBeCloseTo(second, 5)
    expect([one, zero, two].map((row) => row['bm25-scaled'])).toEqual(
      [0, 1, 0].map((share) => expect.closeTo(share, 5)),
    )
  })

  test('the order of the candidates matters to their places and families alone', () => {
    const [again] = rowsOf(evidence, [0, 1, 2])
    const {
      'family-share': _share,
      'family-lift': _lift,
      'fused-rank': _place,
      'family-rank': _rank,
      ...rest
    } = zero
    expect(again).toMatchObject(rest)
    expect(again!['family-share']).toBeCloseTo(35 / 65, 5)
  })

  test('namesakes are counted, and effects set against what is asked for', () => {
    const tools = indexOf([
      toolCard('a/0', { name: 'find_kob' }),
      toolCard('a/1', { name: 'delete_kob' }),
      toolCard('b/2', { name: 'delete_kob', annotations: { readOnly: true } }),
    ])
    const rows = rowsOf(evidenceOf(tools, 'which kob is there'), [0, 1, 2])
    expect(rows.map((row) => row.effect)).toEqual([0, 2, 0])
    expect(rows.map((row) => row['query-effect'])).toEqual([0, 0, 0])
    expect(rows.map((row) => row['effect-fit'])).toEqual([1, -1, 1])
    expect(rows.map((row) => row.namesakes)).toEqual(
      [0, Math.log(2), Math.log(2)].map((log) => expect.closeTo(log, 5)),
    )
  })

  test('no candidates give no rows', () => {
    expect(candidateFeatures(evidence, [])).toHaveLength(0)
  })
})

describe('what is missing', () => {
  const cards = [toolCard('a/0', { name: 'kob' }), toolCard('a/1', { name: 'vax' })]
  const soft = [
    'soft-score',
    'soft-gap',
    'soft-coverage',
    'soft-by-name',
    'soft-of-name',
    'soft-weakest',
    'soft-rank',
  ] as const
  const cosines = ['cosine', 'cosine-gap', 'query-cosine', 'query-spread'] as const
  /** Besides effects, which neither these names nor these queries tell. */
  const missingIn = (row: Row) =>
    featureNames.filter((name) => Number.isNaN(row[name]) && !/^(query-)?effect$/.test(name))

  test('without vectors is every cosine, and nothing else', () => {
    const [row] = rowsOf(evidenceOf(indexOf(cards), 'kob'), [0])
    expect(missingIn(row!)).toEqual([...cosines])
    expect(row).toMatchObject(close({ 'cosine-scaled': 0, 'cosine-rank': 0, fused: 0.5 }))
  })

  test('without tokens is every soft match, and nothing else', () => {
    const evidence = evidenceOf(indexOf(cards, 'without tokens'), 'kob', new Map([[0, 0.5]]))
    expect(missingIn(rowsOf(evidence, [0])[0]!)).toEqual([...soft])
  })

  test.each([
    { why: 'one other is near', dense: new Map([[0, 0.5]]) },
    {
      why: 'two others are, one more than the other',
      dense: new Map([
        [0, 0.5],
        [2, 0.25],
      ]),
    },
  ])('of a card without a vector is its cosine, the query keeps its own: $why', ({ dense }) => {
    const three = [...cards, toolCard('a/2', { name: 'lum' })]
    const row = rowsOf(evidenceOf(indexOf(three), 'kob vax', dense), [0, 1, 2])[1]!
    expect(missingIn(row)).toEqual(['cosine', 'cosine-gap'])
    expect(row).toMatchObject(close({ 'cosine-scaled': 0, fused: 0.5 * row.bm25, 'query-cosine': 0.5 }))
  })

  test('a single near card is the best of its list', () => {
    const evidence = evidenceOf(indexOf(cards), 'kob', new Map([[1, 0.25]]))
    expect(rowsOf(evidence, [1])[0]).toMatchObject(
      close({ 'cosine-scaled': 1, 'cosine-rank': 1, 'query-spread': 0 }),
    )
  })

  test.each(['', 'quorv'])('a query "%s" of which nothing is found divides by nothing', (text) => {
    const evidence = evidenceOf(indexOf(cards), text, new Map([[0, 0]]))
    for (const row of rowsOf(evidence, [0, 1])) {
      expect(row).toMatchObject({
        bm25: 0,
        'bm25-absolute': 0,
        coverage: 0,
        'soft-coverage': 0,
        'soft-gap': 0,
      })
    }
  })
})

test('whatever cards and queries say, numbers are finite or missing, shares in 0..1, and the same once more', () => {
  const shares: readonly Feature[] = featureNames.filter((name) =>
    /^(bm25|coverage|soft-(?!gap)|terms|name-|fused|cosine-(?!gap)|family-share|query-(unknown|bm25))/.test(
      name,
    ),
  )
  const cardTexts = fc.record({
    name: fc.oneof(anyText, fc.constantFrom('kob', 'lum vax', '')),
    description: fc.oneof(anyText, fc.constantFrom('kob', 'vax lum')),
    server: fc.constantFrom('s', 't'),
  })
  const world = fc
    .record({
      cards: fc.array(cardTexts, { minLength: 1, maxLength: 6 }),
      query: fc.oneof(anyText, fc.constantFrom('kob lum', 'vax')),
      cosines: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 6 }),
    })
    .map(({ cards, query, cosines }) => ({
      cards: cards.map((card, at) => toolCard(`a/${at}`, card)),
      query,
      // Best first, of the first cards: the others were left out.
      dense: new Map(
        [...cosines.slice(0, cards.length)].sort((a, b) => b - a).map((cosine, at) => [at, cosine] as const),
      ),
    }))
  fc.assert(
    fc.property(world, ({ cards, query, dense }) => {
      const evidence = evidenceOf(indexOf(cards), query, dense)
      const documents = [...cards.keys()]
      const rows = rowsOf(evidence, documents)
      for (const row of rows) {
        for (const name of featureNames)
          expect(Number.isFinite(row[name]) || Number.isNaN(row[name])).toBe(true)
        for (const name of shares) {
          expect(row[name]).toBeGreaterThanOrEqual(0)
          expect(row[name]).toBeLessThanOrEqual(1 + 1e-6)
        }
        expect(row['soft-gap']).toBeLessThanOrEqual(0)
        if (dense.size > 0 && !Number.isNaN(row.cosine)) expect(row['cosine-gap']).toBeLessThanOrEqual(0)
      }
      expect(rowsOf(evidenceOf(indexOf(cards), query, dense), documents)).toEqual(rows)
    }),
  )
})
