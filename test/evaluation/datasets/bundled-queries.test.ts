import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mcpHarvester } from '../../../src/adapters/mcp-client/mcp-harvester.ts'
import type { Card } from '../../../src/domain/card.ts'
import { bundled, readQueryRecords } from '../../../src/evaluation/datasets/bundled.ts'
import { bundledServers, writeHarvests } from '../../../src/evaluation/datasets/bundled-tools.ts'
import { buildCatalog, root } from '../../catalog-bundled/built-catalog.ts'

const folder = join(root, 'evals', 'bundled')
const dataset = await bundled.read(folder, [])
const records = readQueryRecords(join(folder, 'queries.jsonl'))
const queries = dataset.parts.flatMap(({ queries }) => queries)
const cards = new Map(dataset.parts[0]!.cards.map((card) => [card.id, card]))
const group = (name: string) => queries.filter((query) => query.group === name)

describe('the bundled query set', () => {
  test.each([
    { why: 'one tool does it', name: 'single-tool', least: 60 },
    { why: 'one agent does it', name: 'single-agent', least: 70 },
    { why: 'several are needed', name: 'multi-step', least: 30 },
    { why: 'the goal is vague', name: 'vague', least: 25 },
    { why: 'it is not asked in English', name: 'other-language', least: 25 },
    { why: 'nothing here fits', name: 'nothing-fits', least: 25 },
  ])('has at least $least queries in which $why', ({ name, least }) => {
    expect(group(name).length).toBeGreaterThanOrEqual(least)
  })

  test('asks in nine other languages', () => {
    const languages = new Set(records.flatMap(({ language }) => language ?? []))
    expect([...languages].sort()).toEqual(['ar', 'de', 'es', 'fr', 'hi', 'ja', 'pt', 'ru', 'zh'])
    const unmarked = records.filter(({ group, language }) => group === 'other-language' && !language)
    expect(unmarked).toEqual([])
  })

  test('judges nothing where nothing fits, and names something that serves everywhere else', () => {
    const wrong = queries.filter(({ group, grades }) =>
      group === 'nothing-fits' ? grades.size > 0 : ![...grades.values()].includes(2),
    )
    expect(wrong).toEqual([])
    expect(new Set(queries.flatMap(({ grades }) => [...grades.values()]))).toEqual(new Set([1, 2]))
  })

  test('says of jobs of several steps, and of no others, what each step needs', () => {
    for (const { id, group, needs } of records) {
      if (group !== 'multi-step') expect(needs, id).toBeUndefined()
      else {
        expect(needs?.length, id).toBeGreaterThanOrEqual(2)
        expect(needs?.length, id).toBeLessThanOrEqual(4)
      }
    }
  })

  test('has a query for every tool and every profile', () => {
    const served = new Set(
      queries.flatMap(({ grades }) => [...grades].flatMap(([id, grade]) => (grade === 2 ? [id] : []))),
    )
    expect([...cards.keys()].filter((id) => !served.has(id))).toEqual([])
  })

  test('asks nothing twice', () => {
    const texts = queries.map(({ text }) => wordsOf(text).join(' '))
    expect(new Set(texts).size).toBe(texts.length)
  })

  test('never takes four words in a row from a card that serves', () => {
    const copied = queries.flatMap(({ id, text, grades }) =>
      [...grades.keys()].flatMap((card) => {
        const said = fourWordsOf(textsOf(cards.get(card)!))
        const shared = [...fourWordsOf([text])].filter((words) => said.has(words))
        return shared.map((words) => `${id} and ${card}: "${words}"`)
      }),
    )
    expect(copied).toEqual([])
  })

  test('four words in a row are found across case and punctuation, not across texts', () => {
    expect([...fourWordsOf(['Sort the lines: by LENGTH', 'of each'])]).toEqual([
      'sort the lines by',
      'the lines by length',
    ])
  })
})

test('the recorded tools are those that the bundled servers answer with', async () => {
  const built = buildCatalog()
  try {
    const harvester = mcpHarvester({
      catalogFolder: built.folder,
      environment: process.env,
      version: '0.0.0',
    })
    const recorded = await Promise.all(
      bundledServers(join(root, 'catalog')).map(async (entry) => ({
        entry: entry.name,
        harvest: await harvester.harvest(entry, new AbortController().signal),
      })),
    )
    expect(
      readFileSync(join(folder, 'tools.jsonl'), 'utf8') === writeHarvests(recorded),
      'evals/bundled/tools.jsonl is out of date. Run: npm run bundled-tools && npm run golden',
    ).toBe(true)
  } finally {
    built.remove()
  }
})

/** All that a card says to those who search. */
const textsOf = (card: Card): readonly string[] => [
  card.name,
  card.title ?? '',
  card.description,
  ...card.examples,
  card.tags.join(', '),
  ...(card.kind === 'tool'
    ? card.parameters.map(({ name, description }) => `${name}: ${description ?? ''}`)
    : [card.instructions ?? '', ...card.tools.map(({ description }) => description ?? '')]),
]

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const fourWordsOf = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(
    texts.flatMap((text) => {
      const words = wordsOf(text)
      return words.slice(3).map((_, at) => words.slice(at, at + 4).join(' '))
    }),
  )
