import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Card } from '../../../src/domain/card.ts'
import {
  type CardIndex,
  comparesByBytes,
  imageMemory,
  type JoinedIndex,
  joinedIndex,
  openCardIndexIn,
  openSegment,
  packCardIndex,
  type Segment,
} from '../../../src/retrieval/index/card-index.ts'
import { documentsOf, type Live } from '../../../src/retrieval/index/documents.ts'
import { quantisedVectors } from '../../../src/retrieval/index/quantised-vectors.ts'
import { packedMeta, packSections, unpackSections } from '../../../src/retrieval/text/sections.ts'
import { analyzeQuery } from '../../../src/retrieval/text/analyze.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'

const word = fc.constantFrom(
  'send',
  'email',
  'invoice',
  'weather',
  'forecast',
  'file',
  'open',
  'issue',
  'list',
  'zebra',
  'Käse',
  '表',
)
const sentence = fc.array(word, { maxLength: 14 }).map((words) => words.join(' '))
const vectorLength = 20

type Version = {
  readonly text: string
  readonly name: string
  readonly tags: readonly string[]
  readonly server: string | undefined
  readonly owns: readonly number[]
  readonly vector: readonly number[] | null
}
const version: fc.Arbitrary<Version> = fc.record({
  text: sentence,
  name: fc.tuple(word, word).map((words) => words.join('_')),
  tags: fc.uniqueArray(word, { maxLength: 3 }),
  server: fc.option(word, { nil: undefined }),
  owns: fc.array(fc.nat(20), { maxLength: 3 }),
  vector: fc.option(
    fc.array(fc.integer({ min: -30, max: 30 }), { minLength: vectorLength, maxLength: vectorLength }),
    { nil: null },
  ),
})
/** Each card's versions with the segment of each, the last of which counts unless it is gone. */
const history = fc.record({
  kind: fc.constantFrom('tool' as const, 'agent' as const),
  count: fc.integer({ min: 1, max: 40 }),
  cards: fc.uniqueArray(
    fc.record({
      id: fc.tuple(word, word, fc.nat(30)).map(([source, name, number]) => `${source}/${name}-${number}`),
      versions: fc.array(fc.tuple(fc.nat(39), version), { minLength: 1, maxLength: 3 }),
      isGone: fc.boolean(),
    }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 60 },
  ),
})
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never

function cardOf(kind: 'tool' | 'agent', id: string, { text, name, tags, server, owns }: Version): Card {
  return kind === 'tool'
    ? toolCard(id, { name, description: text, tags, ...(server === undefined ? {} : { server }) })
    : agentCard(id, {
        name,
        description: text,
        tags,
        tools: owns.map((number) => ({ name: String(number), id: `tool/${number}` })),
      })
}

const vectorsOf = (versions: readonly { readonly id: string; readonly vector: Version['vector'] }[]) => {
  const vectors = quantisedVectors(vectorLength)
  for (const { id, vector } of versions) if (vector) vectors.add(id, Float32Array.from(vector))
  return vectors
}

function opened(image: Uint8Array) {
  const memory = imageMemory(image.length)
  memory.bytes.set(image)
  return memory
}

/** The same cards in one segment, and in several with former versions and cards that are gone. */
function bothOf({ kind, count, cards }: History): {
  readonly single: CardIndex
  readonly joined: JoinedIndex
} {
  const perSegment = Array.from(
    { length: count },
    () => new Map<string, { version: Version; isLive: boolean }>(),
  )
  for (const { id, versions, isGone } of cards) {
    const places = versions.map(([segment, own]) => ({ segment: segment % count, own }))
    places.forEach(({ segment, own }, at) => {
      const isLive = !isGone && at === places.length - 1
      for (const other of perSegment) {
        const before = other.get(id)
        if (before && isLive) before.isLive = false
      }
      perSegment[segment]!.set(id, { version: own, isLive })
    })
  }
  const live = perSegment.flatMap((segment) => [...segment].filter(([, { isLive }]) => isLive))
  const image = packCardIndex(
    live.map(([id, { version: own }]) => cardOf(kind, id, own)),
    {
      vectors: vectorsOf(
        live.map(
          ([
            id,
            {
              version: { vector },
            },
          ]) => ({ id, vector }),
        ),
      ),
    },
  )
  const { averages } = packedMeta(image) as { readonly averages: readonly number[] }
  const parts = perSegment.map((segment): { readonly segment: Segment; readonly live: Live } => {
    const own = [...segment].sort(([a], [b]) => (a < b ? -1 : 1))
    const packed = packCardIndex(
      own.map(([id, { version: one }]) => cardOf(kind, id, one)),
      {
        averages,
        vectors: vectorsOf(
          own.map(
            ([
              id,
              {
                version: { vector },
              },
            ]) => ({ id, vector }),
          ),
        ),
      },
    )
    const flags = own.map(([, { isLive }]) => (isLive ? 1 : 0))
    return {
      segment: openSegment(opened(packed))!,
      live: flags.every((flag) => flag === 1) ? null : Uint8Array.from(flags),
    }
  })
  const facts = unpackSections(image)
  const documents = documentsOf(parts.map(({ segment, live }) => ({ ids: segment.columns.ids, live })))
  const single = openCardIndexIn(opened(image))!
  const joined = joinedIndex(
    parts.map(({ segment }) => segment),
    { documents, facts: facts },
  )
  return { single, joined }
}

describe('cards in several segments', () => {
  test('are found, scored and told of as in a single one, to the last bit', () => {
    fc.assert(
      fc.property(
        history,
        sentence,
        fc.array(fc.integer({ min: -30, max: 30 }), { minLength: vectorLength, maxLength: vectorLength }),
        fc.record({ tags: fc.array(word, { maxLength: 2 }), sources: fc.array(word, { maxLength: 3 }) }),
        (of, text, query, filter) => {
          const { single, joined } = bothOf(of)
          expect(joined.size).toBe(single.size)
          const all = Array.from({ length: single.size }, (_, document) => document)
          expect(all.map((document) => joined.ids.at(document))).toEqual(
            all.map((document) => single.ids.at(document)),
          )
          for (const document of all) {
            const id = single.ids.at(document)
            expect([joined.ids.indexOf(id), joined.ids.lowerBound(id)]).toEqual([document, document])
          }
          const terms = analyzeQuery(text)
          const admitted = joined.admit(filter)
          expect(admitted).toEqual(single.admit(filter))
          for (const mask of [null, admitted]) {
            for (const depth of [1, 5, 200])
              expect(joined.search(terms, depth, mask)).toEqual(single.search(terms, depth, mask))
            const [one, other] = [single, joined].map(({ vectors }) =>
              vectors!.scored(Float32Array.from(query), mask),
            )
            for (const depth of [1, 5, 200]) expect(other!.best(depth)).toEqual(one!.best(depth))
            if (mask === null) expect(all.map(other!.of)).toEqual(all.map(one!.of))
            const two = [Float32Array.from(query), Float32Array.from(query).reverse()]
            for (const depth of [1, 5]) {
              joined.vectors!.lookAhead(two, { depth, admitted: mask, parts: 'all' })
              for (const own of two)
                expect(joined.vectors!.scored(own, mask).best(depth)).toEqual(
                  single.vectors!.scored(own, mask).best(depth),
                )
            }
          }
          expect(joined.vectors!.held).toEqual(single.vectors!.held)
          const [probe, wanted] = [joined.probe(terms), single.probe(terms)]
          expect([probe.weight, probe.unknownShare]).toEqual([wanted.weight, wanted.unknownShare])
          for (const document of all) {
            expect(probe.of(document)).toEqual(wanted.of(document))
            expect(joined.coverage(terms, document)).toEqual(single.coverage(terms, document))
            expect(toldOf(joined, document)).toEqual(toldOf(single, document))
          }
          expect(tablesOf(joined)).toEqual(tablesOf(single))
        },
      ),
      { numRuns: 60 },
    )
  })
})

const toldOf = (index: JoinedIndex, document: number) => ({
  source: index.source(document),
  publisher: index.publisher(document),
  standing: index.standing(document),
  signature: index.signature(document),
  isTool: index.isTool(document),
  effect: index.effect(document),
  // Numbers of families are names, and compared with each other alone.
  family: Array.from({ length: index.size }, (_, other) => index.family(other)).indexOf(
    index.family(document),
  ),
  kin: index.familySize(index.family(document)),
  place: index.place(document),
  terms: index.defences.distinctTerms(document),
  words: [...index.defences.words(document)],
  alike: index.defences.lookAlike(document),
  flags: [
    index.defences.isCopier(document),
    index.defences.isOdd(document),
    index.defences.isSpare(document),
  ],
  owners: [...index.ownersOf(`tool/${document}`)],
})

const tablesOf = ({ values }: JoinedIndex) =>
  Object.values(values).map(({ table, meant }) =>
    Array.from({ length: table.size }, (_, at) => [table.at(at), meant(table.at(at))]),
  )

test('an image that says no mean lengths, as those before segments, is not compared by its bytes', () => {
  const image = packCardIndex([toolCard('a')])
  const { averages, ...before } = packedMeta(image) as { averages: readonly number[] }
  expect(averages.length).toBeGreaterThan(0)
  expect(comparesByBytes(image)).toBe(true)
  expect(comparesByBytes(packSections(before, {}))).toBe(false)
})
