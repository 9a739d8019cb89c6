import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parametersOf } from '../../src/catalog/formats/parameters.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { quantile } from '../../src/evaluation/statistics/bootstrap.ts'
import { claudeCode } from '../../src/hosts/known/claude-code.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { search } from '../../src/retrieval/search/search.ts'
import { budgetOf } from '../../src/server/answers/search-answer.ts'
import { jsonBytes, tokensOf } from '../../src/server/answers/fitted-answer.ts'
import { cardsAnswer } from '../../src/server/tools/describe.ts'
import { toolsAnswer } from '../../src/server/tools/search.ts'
import { toolCard } from '../fakes/fake-audition.ts'

type Line = {
  readonly entry: string
  readonly tool?: {
    readonly name: string
    readonly description: string
    readonly inputSchema: JsonObject
    readonly outputSchema?: JsonObject
  }
}

const linesOf = <T>(name: string): readonly T[] =>
  readFileSync(new URL(`../../evals/bundled/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)

/** What Claude Code is told. */
const next = `Call by "call". Deferred: first ${claudeCode.loading}.`

/** The tools of the bundled servers, as their `tools/list` has them. */
const cards = linesOf<Line>('tools.jsonl').flatMap(({ entry, tool }) =>
  tool === undefined
    ? []
    : [
        toolCard(`${entry}/${tool.name}`, {
          ...tool,
          server: entry,
          parameters: parametersOf(tool.inputSchema),
          annotations: { readOnly: true },
        }),
      ],
)
const queries = linesOf<{ readonly text: string; readonly part: string }>('queries.jsonl')
  .filter(({ part }) => part === 'bundled-tools')
  .map(({ text }) => text)
const snapshot = await memorySnapshot(cards)
const found = await Promise.all(
  queries.map((query) => search({ snapshot, model: null }, { kind: 'tool', query })),
)
// An answer to a request of another language also tells how it was read.
const full = found.filter(({ candidates, readAs }) => candidates.length === 5 && readAs === undefined)

test('five candidates with their exact names cost at most 400 tokens in the median, and every one tells what a call needs', () => {
  const answers = full.map((one) => {
    const candidates = one.candidates.map((candidate) => ({
      ...candidate,
      reach: { call: claudeCode.toolName(candidate.card.source, candidate.card.name) },
    }))
    return toolsAnswer({ ...one, candidates, next }, 'standard', budgetOf({ detail: 'standard' }, one))
  })
  expect(answers.length).toBeGreaterThan(40)
  expect(
    quantile(
      answers.map(({ structured }) => tokensOf(jsonBytes(structured))),
      0.5,
    ),
  ).toBeLessThanOrEqual(400)
  for (const { structured, text } of answers) {
    for (const { id, inputs } of structured!.candidates as { id: string; inputs: string }[]) {
      const { required = [] } = cards.find((card) => card.id === id)!.inputSchema as { required?: string[] }
      for (const name of required) expect(inputs, id).toMatch(new RegExp(`(^|; )${name}: [^…]`))
      expect(text, 'hosts of older revisions show the text alone').toContain(JSON.stringify(inputs))
    }
  }
})

test('a host is told how a request of another language was read', () => {
  const { structured, text } = toolsAnswer(
    { ...full[0]!, readAs: 'send invoice', next },
    'standard',
    budgetOf({ detail: 'standard' }, full[0]!),
  )
  expect(structured!.note).toContain('Read as: send invoice')
  expect(text).toContain('Read as: send invoice')
})

test('three described cards cost at most 1,000 tokens in the median, and have their schemas whole', async () => {
  const answers = await Promise.all(
    full.map(({ candidates }) =>
      cardsAnswer(
        candidates.slice(0, 3).map(({ card }) => card),
        [],
        undefined,
      ),
    ),
  )
  expect(
    quantile(
      answers.map(({ structured }) => tokensOf(jsonBytes(structured))),
      0.5,
    ),
  ).toBeLessThanOrEqual(1_000)
  for (const { structured } of answers) {
    for (const { id, inputSchema, trimmed } of structured!.cards as unknown as JsonObject[]) {
      const published = cards.find((card) => card.id === id)!.inputSchema!
      expect(trimmed).toBeUndefined()
      expect(namesIn(inputSchema as JsonObject)).toEqual(namesIn(published))
    }
  }
})

const namesIn = (schema: JsonObject): readonly string[] =>
  Object.keys((schema.properties ?? {}) as JsonObject)

test('where nothing is indexed, no other words are advised', async () => {
  const empty = await search(
    { snapshot: await memorySnapshot([]), model: null },
    { kind: 'tool', query: 'x' },
  )
  const { text } = toolsAnswer({ ...empty, candidates: [] }, 'standard', { most: 400 })
  expect(text).toContain('the user indexes a source that has tools: audition index')
  expect(text).not.toContain('other words')
})
