import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../../src/evaluation/evaluate.ts'
import { recipes } from '../../../evals/benchmarks/src/index.ts'
import { languageRequests } from '../../../evals/benchmarks/src/language-requests.ts'
import { agent, tool } from '../../training/data/folders.ts'
import { folderWith } from '../../fixtures/temporary-folder.ts'

/** A request, told in German and French. */
const told = (
  id: string,
  texts: { readonly en: string; readonly de: string; readonly fr: string },
  relevant: readonly string[],
  more: object = {},
): readonly object[] =>
  (['de', 'fr'] as const).map((lang) => ({
    id: `${id}-${lang}`,
    lang,
    query: texts[lang],
    english: texts.en,
    kind: 'single',
    split: 'dev',
    relevant,
    ...more,
  }))

const requests = [
  ...told('w1', { en: 'fly a kite', de: 'einen kite steigen lassen', fr: 'du cerf-volant' }, ['kite']),
  ...told('w2', { en: 'row the boat', de: 'rudern', fr: 'boat' }, ['boat', 'oar'], { kind: 'multi' }),
  ...told('w3', { en: 'teach me to sail', de: 'segeln', fr: 'voile' }, ['crew:sail'], { kind: 'agent' }),
  ...told('w4', { en: 'train', de: 'Zug', fr: 'train' }, ['kite'], { split: 'train' }),
  ...told('w5', { en: 'gone', de: 'weg', fr: 'parti' }, ['gone']),
  ...told('w6', { en: 'half told', de: 'halb', fr: '' }, ['kite']).slice(0, 1),
]

const files = {
  'toolret/toucan-mcp-corpus/tools.jsonl': [
    tool('kite', 'Lets a kite fly'),
    tool('boat', 'Rents a boat'),
    tool('oar', 'Rows with an oar'),
  ],
  'agents/crew.jsonl': [agent('crew:sail', 'Teaches to sail')],
  'languages/requests.jsonl': requests,
}

const folder = () => join(folderWith(files), 'languages')

describe('requests in other languages', () => {
  test('are a part per language, and in English, of tools and of agents, over the same cards', async () => {
    const { parts, notes } = await languageRequests.read(folder(), [])
    expect(parts.map(({ name, kind, retells, queries }) => [name, kind, retells, queries.length])).toEqual([
      ['tools en', 'tool', undefined, 2],
      ['tools de', 'tool', 'tools en', 2],
      ['tools fr', 'tool', 'tools en', 2],
      ['agents en', 'agent', undefined, 1],
      ['agents de', 'agent', 'agents en', 1],
      ['agents fr', 'agent', 'agents en', 1],
    ])
    expect(new Set(parts.map(({ cards }) => cards)).size).toBe(2)
    expect(parts[0]!.queries[1]).toEqual({
      id: 'w2-en',
      text: 'row the boat',
      grades: new Map([
        ['toucan-mcp-corpus/boat', 1],
        ['toucan-mcp-corpus/oar', 1],
      ]),
      group: 'multi',
    })
    expect(parts[1]!.queries[0]).toMatchObject({
      id: 'w1-de',
      text: 'einen kite steigen lassen',
      needs: [['toucan-mcp-corpus/kite']],
    })
    expect(notes.join()).toContain('3 queries were left out') // what is gone, in three languages
  })

  test('are the development split unless another is wanted, and those parts that are named', async () => {
    const path = folder()
    const idsOf = async (split: string, only: readonly string[]) =>
      (await languageRequests.read(path, only, { split })).parts.map(({ queries }) =>
        queries.map(({ id }) => id),
      )
    expect(await idsOf('train', ['tools fr'])).toEqual([['w4-fr']])
    expect(await idsOf('all', ['tools de', 'agents en'])).toEqual([['w1-de', 'w2-de', 'w4-de'], ['w3-en']])
    await expect(languageRequests.read(path, ['tools nl'])).rejects.toThrow('no part "tools nl" here')
  })

  test('tell in the notes of a run what share of English each language has', async () => {
    const { run } = await evaluate(await languageRequests.read(folder(), []), {}, { model: null })
    const [en, de, fr] = run.parts.map(({ estimates }) => estimates['ndcg@10']!.mean) as [
      number,
      number,
      number,
    ]
    expect(en).toBe(1) // words are enough
    expect([de, fr].every((mean) => mean > 0 && mean < 1)).toBe(true)
    const shares = [de, fr].map((mean) => `${(100 * mean).toFixed(1)}%`)
    expect(run.dataset.notes.slice(-2)).toEqual([
      `nDCG@10 as a share of that of tools en: tools de ${shares[0]}, tools fr ${shares[1]}.`,
      'nDCG@10 as a share of that of agents en: agents de 0.0%, agents fr 0.0%.',
    ])
  })

  test('need English beside them for a share', async () => {
    const dataset = await languageRequests.read(folder(), ['tools de', 'tools fr'])
    const { run } = await evaluate(dataset, {}, { model: null })
    expect(run.dataset.notes).toEqual(dataset.notes)
  })

  test('are told apart from the written queries, whose catalogs they need beside them', async () => {
    const root = folderWith({ 'languages/requests.jsonl': requests })
    for (const path of [join(root, 'languages'), join(root, 'languages', 'requests.jsonl')])
      expect(recipes.find((recipe) => recipe.recognises(path))?.name).toBe('language-requests')
    await expect(languageRequests.read(join(root, 'languages'), [])).rejects.toThrow('not beside it')
    await expect(languageRequests.read(root, [])).rejects.toThrow('no requests.jsonl')
  })
})

const shared = join(import.meta.dirname, '../../../../shared/data')
const isPresent = existsSync(join(shared, 'languages'))

test.skipIf(!isPresent)(
  `the reference data has the same requests in all languages${isPresent ? '' : ' (skipped: data not present)'}`,
  async () => {
    const { parts } = await languageRequests.read(join(shared, 'languages'), [])
    const names = ['en', 'de', 'fr', 'es', 'pt', 'it', 'zh', 'ja', 'ko', 'ru', 'ar']
    expect(parts.map(({ name, queries }) => [name, queries.length])).toEqual([
      ...names.map((name) => [`tools ${name}`, 150]),
      ...names.map((name) => [`agents ${name}`, 29]),
    ])
    const stems = parts.map(({ queries }) => queries.map(({ id }) => id.replace(/-[a-z]+$/, '')).sort())
    for (const [at, own] of stems.entries()) expect(own).toEqual(stems[at < names.length ? 0 : names.length])
  },
)
