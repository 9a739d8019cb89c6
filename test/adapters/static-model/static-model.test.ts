import { createHash } from 'node:crypto'
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lanceReader } from '../../../src/adapters/lancedb/lance-reader.ts'
import { staticModel } from '../../../src/adapters/static-model/static-model.ts'
import { packEmbedding } from '../../../src/vectors/embedding/packed-embedding.ts'
import { staticEmbedding } from '../../../src/vectors/embedding/static-embedding.ts'
import { boostedTrees } from '../../../src/retrieval/rank/boosted-trees.ts'
import { featureNames } from '../../../src/retrieval/rank/candidate-features.ts'
import { besideEnglish } from '../../../src/retrieval/text/beside-english.ts'
import { textsOf } from '../../../src/retrieval/text/card-texts.ts'
import { EmbeddingModelError } from '../../../src/retrieval/rank/embedding-model-error.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { modelOf } from '../../retrieval/arbitrary-trees.ts'
import { smallCatalog } from '../../retrieval/small-catalog.ts'
import { commit, storeFolder } from '../lancedb/stores.ts'
import { calibration, interaction, modelFolder, trees, weights } from './model-folder.ts'

const lengthOf = (vector: Float32Array | undefined): number => Math.hypot(...vector!)
const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, axis) => sum + value * b[axis]!, 0)

describe('a model opened from its folder', () => {
  test('is named after its card and its weights', async () => {
    const model = await staticModel(modelFolder())
    expect(model).toMatchObject({ dimensions: 8 })
    expect(model.id).toBe(`static:small-1@${packEmbedding(weights).head.sha256.slice(0, 12)}`)
    await model.close()
  })

  test('gives the vectors it was written with, to the last bit', async () => {
    const model = await staticModel(modelFolder())
    const before = staticEmbedding(weights)
    const texts = ['send email', 'dispatch a letter', 'zzz', '查询天气', 'send '.repeat(100)]
    expect(await model.embed(texts, 'query')).toEqual(texts.map((text) => before.query(text)))
    expect(await model.embedCards!(smallCatalog)).toEqual(
      smallCatalog.map((card) => before.document(textsOf(card))),
    )
  })

  test('reads the English of a request that has it beside it', async () => {
    const model = await staticModel(modelFolder())
    const told = besideEnglish('查询 letter', 'send email')
    expect(await model.embed([told], 'query')).toEqual([staticEmbedding(weights).query('send email')])
  })

  test('gives unit vectors; a text without any token gives the zero vector', async () => {
    const model = await staticModel(modelFolder())
    for (const role of ['query', 'document'] as const) {
      const [known, unknown, ...empty] = await model.embed(['send', 'ω', '', ' \n', '!?', '\u0000'], role)
      expect(lengthOf(known)).toBeCloseTo(1, 6)
      expect(lengthOf(unknown)).toBeCloseTo(1, 6)
      for (const vector of empty) expect([...vector]).toEqual(Array(8).fill(0))
    }
    const [nothing] = await model.embedCards!([toolCard('a/x', { name: '', description: '' })])
    expect([...nothing!]).toEqual(Array(8).fill(0))
    expect(await model.embed([], 'query')).toEqual([])
    expect(await model.embedCards!([])).toEqual([])
  })

  test('reads queries and documents by towers of their own', async () => {
    const model = await staticModel(modelFolder())
    const text = 'send letter'
    const [asQuery] = await model.embed([text], 'query')
    const [asDocument] = await model.embed([text], 'document')
    expect(cosine(asQuery!, asDocument!)).toBeLessThan(0.99)
  })

  test('reads a text that is no card as a description, and a name with more weight', async () => {
    const model = await staticModel(modelFolder())
    const card = (name: string, description: string) => toolCard('a/x', { name, description })
    const [named, described, both, turned] = await model.embedCards!([
      card('send', ''),
      card('', 'send weather'),
      card('send', 'weather'),
      card('weather', 'send'),
    ])
    expect(await model.embed(['send weather'], 'document')).toEqual([described])
    expect(cosine(both!, named!)).toBeGreaterThan(cosine(turned!, named!))
  })

  test('brings its ranker: trees, calibration and the words of its vocabulary', async () => {
    const { ranker } = await staticModel(modelFolder())
    expect(ranker).toMatchObject({ calibration, id: expect.stringMatching(/^[0-9a-f]{12}$/) })
    const rows = Float32Array.from({ length: 3 * featureNames.length }, (_, at) => Math.sin(at))
    expect(ranker!.trees.score(rows, 3)).toEqual(boostedTrees(trees).score(rows, 3))
    const [send, letter] = ranker!.matcher.tokensOf('send letter', 8) as unknown as [number, number]
    const [dispatch] = ranker!.matcher.tokensOf('dispatch', 8) as unknown as [number]
    const cosines = ranker!.matcher.cosines([send], [send, dispatch, letter])
    expect(cosines[0]).toBe(1)
    expect(cosines[1]).toBeGreaterThan(0.9)
    expect(cosines[2]).toBeLessThan(0.3)
    const { name, text } = ranker!.tokensOf(
      textsOf(toolCard('a/x', { name: 'send', description: 'send letter' })),
    )
    expect([[...name], [...text]]).toEqual([[send], [send, letter]])
  })

  test('matches words by vectors of their own where it was written with such', async () => {
    const model = await staticModel(modelFolder({ withInteraction: true }))
    const { matcher } = model.ranker!
    const [send, letter] = matcher.tokensOf('send letter', 8) as unknown as [number, number]
    const own = staticEmbedding({ ...weights, interaction }).tokens
    expect(matcher.cosines([send], [letter])).toEqual(own.cosines([send], [letter]))
    expect(matcher.cosines([send], [letter])[0]).toBeGreaterThan(0.9)
    for (const token of [send, letter])
      expect([matcher.queryWeight(token), matcher.documentWeight(token)]).toEqual([
        own.queryWeight(token),
        own.documentWeight(token),
      ])
    expect(matcher.queryWeight(send)).toBeCloseTo(Math.E * Math.hypot(1, 0), 1)
    expect(await model.embed(['send email'], 'query')).toEqual([staticEmbedding(weights).query('send email')])
  })

  test('has none when it was written without', async () => {
    const model = await staticModel(modelFolder({ ranker: null }))
    expect(model).not.toHaveProperty('ranker')
    const context = { snapshot: await memorySnapshot(smallCatalog, model), model }
    expect((await search(context, { kind: 'tool', query: 'send email' })).ranker).toBe('hybrid')
  })

  test('does not read what else a card tells', async () => {
    const model = await staticModel(modelFolder({ card: (card) => ({ ...card, later: { any: ['thing'] } }) }))
    expect(model.dimensions).toBe(8)
  })
})

/** What opening the folder fails with: always the one kind of error, with a way out. */
async function refusal(folder: string): Promise<string> {
  const error: unknown = await staticModel(folder).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(EmbeddingModelError)
  expect((error as EmbeddingModelError).remedy).toContain('audition train')
  return (error as EmbeddingModelError).message
}

const flip = (folder: string, file: string, place: number): void => {
  const bytes = readFileSync(join(folder, file))
  const at = place < 0 ? bytes.length + place : place
  bytes[at] = bytes[at]! ^ 1
  writeFileSync(join(folder, file), bytes)
}

describe('a folder that is no whole model is refused, with the file named', () => {
  test.each(['model.json', 'weights.bin', 'ranker.bin'])('%s is missing', async (file) => {
    const folder = modelFolder()
    rmSync(join(folder, file))
    const message = await refusal(folder)
    expect(message).toContain(`${join(folder, file)} cannot be read`)
    expect(message).toContain('ENOENT')
  })

  test('interaction.bin is missing, damaged, cut short, or of another vocabulary', async () => {
    const missing = modelFolder({ withInteraction: true })
    rmSync(join(missing, 'interaction.bin'))
    expect(await refusal(missing)).toContain(`${join(missing, 'interaction.bin')} cannot be read`)
    for (const place of [0, 3000, -1]) {
      const folder = modelFolder({ withInteraction: true })
      flip(folder, 'interaction.bin', place)
      expect(await refusal(folder)).toMatch(/interaction\.bin: the checksum/)
    }
    for (const length of [100, 0]) {
      const folder = modelFolder({ withInteraction: true })
      truncateSync(join(folder, 'interaction.bin'), length)
      expect(await refusal(folder)).toMatch(/interaction\.bin: \d+ bytes, but the model card tells of/)
    }
    const other = modelFolder({
      withInteraction: true,
      card: (card) => ({ ...card, interaction: { ...(card.interaction as object), dimensions: 17 } }),
    })
    expect(await refusal(other)).toMatch(/interaction\.bin: \d+ bytes/)
  })

  test('there is no folder', async () => {
    const folder = join(temporaryFolder(), 'nothing')
    expect(await refusal(folder)).toContain(`${join(folder, 'model.json')} cannot be read`)
  })

  test.each([
    { why: 'its vocabulary is changed', place: 60, says: /weights\.bin: the checksum/ },
    { why: 'its last vector is changed', place: -1, says: /weights\.bin: the checksum/ },
  ])('weights.bin is damaged: $why', async ({ place, says }) => {
    const folder = modelFolder()
    flip(folder, 'weights.bin', place)
    expect(await refusal(folder)).toMatch(says)
  })

  test('weights.bin holds a vocabulary of another version, with a checksum to match: the file is named all the same', async () => {
    const folder = modelFolder()
    flip(folder, 'weights.bin', 10)
    const card = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8'))
    const sha256 = createHash('sha256')
      .update(readFileSync(join(folder, 'weights.bin')))
      .digest('hex')
    writeFileSync(join(folder, 'model.json'), JSON.stringify({ ...card, sha256 }))
    expect(await refusal(folder)).toMatch(/weights\.bin: The vocabulary/)
  })

  test.each(['weights.bin', 'ranker.bin'])('%s is cut short, or empty', async (file) => {
    for (const length of [100, 0]) {
      const folder = modelFolder()
      truncateSync(join(folder, file), length)
      expect(await refusal(folder)).toContain(join(folder, file))
    }
  })

  test.each([{ place: 0 }, { place: 40 }, { place: -1 }])(
    'ranker.bin is changed at $place',
    async ({ place }) => {
      const folder = modelFolder()
      flip(folder, 'ranker.bin', place)
      expect(await refusal(folder)).toMatch(/ranker\.bin: the checksum is not the one of the model card/)
    },
  )

  test('ranker.bin was trained on other features: which is told', async () => {
    const other = modelOf([{ value: 1 }], [...featureNames.slice(0, -1), 'phase-of-the-moon'])
    const message = await refusal(modelFolder({ ranker: other }))
    expect(message).toContain('ranker.bin')
    expect(message).toContain('phase-of-the-moon')
  })

  test.each(['', '{', 'no json', '\u0000'])('model.json holds %j', async (text) => {
    const folder = modelFolder()
    writeFileSync(join(folder, 'model.json'), text)
    expect(await refusal(folder)).toMatch(/model\.json: not JSON/)
  })

  test.each([
    { why: 'it is a list', card: () => [], says: /model\.json: Invalid input/ },
    {
      why: 'it is of another format',
      card: (card: object) => ({ ...card, format: 'audition-static-embedding/3' }),
      says: /model\.json, format: .*audition-static-embedding\/1/,
    },
    { why: 'it tells no checksum', card: (card: object) => ({ ...card, sha256: undefined }), says: /sha256/ },
    {
      why: 'its checksum is none',
      card: (card: object) => ({ ...card, sha256: 'ABC' }),
      says: /model\.json, sha256: is not a SHA-256/,
    },
    { why: 'it has no dimensions', card: (card: object) => ({ ...card, dimensions: 0 }), says: /dimensions/ },
    {
      why: 'it tells of more dimensions',
      card: (card: object) => ({ ...card, dimensions: 9 }),
      says: /weights\.bin: \d+ bytes/,
    },
    {
      why: 'its name is a path',
      card: (card: object) => ({ ...card, name: '../x' }),
      says: /model\.json, name: may hold/,
    },
    {
      why: 'a field has no weight',
      card: (card: object) => ({ ...card, fields: [{ name: 'name', limit: 3 }] }),
      says: /model\.json, fields\.0\.weight/,
    },
    {
      why: 'it reads a field that cards do not have',
      card: (card: object) => ({ ...card, fields: [{ name: 'mood', limit: 3, weight: 1 }] }),
      says: /model\.json, fields\.0\.name/,
    },
    {
      why: 'it has more tokens than a search image can tell apart',
      card: (card: object) => ({ ...card, tokens: 65_537 }),
      says: /model\.json, tokens/,
    },
    {
      why: 'its ranker has no calibration',
      card: (card: object) => ({ ...card, ranker: { sha256: '0'.repeat(64) } }),
      says: /model\.json, ranker\.calibration/,
    },
    {
      why: 'it tells of fewer tokens of more dimensions: as many bytes, of another vocabulary',
      // 264 tokens of 8 + 8 bytes, as 176 of 8 + 16.
      card: (card: object) => ({ ...card, tokens: 176, dimensions: 16 }),
      says: /weights\.bin: holds 264 tokens, but the model card tells of 176/,
    },
  ])('model.json is damaged: $why', async ({ card, says }) => {
    expect(await refusal(modelFolder({ card }))).toMatch(says)
  })
})

describe('a search by the model and its ranker', () => {
  const cards = [
    toolCard('post/dispatch_letter', { description: 'Dispatch a letter.' }),
    toolCard('post/weather_city', { description: 'Weather of a city.' }),
    toolCard('post/issue', { description: 'An issue.' }),
  ]
  const asked = [
    'send email',
    'weather',
    'city flight',
    'send an email, then tell the weather of the city',
    'zzz',
    '查询天气',
    '!?',
    '',
  ]

  test('finds by meaning what shares no word, and says how sure it is', async () => {
    const model = await staticModel(modelFolder())
    const context = { snapshot: await memorySnapshot(cards, model), model }
    const answer = await search(context, { kind: 'tool', query: 'send email' })
    expect(answer.ranker).toBe('learned')
    expect(answer.candidates[0]!.card.id).toBe('post/dispatch_letter')
    expect(answer.candidates[0]!.score).toBeCloseTo(1 / (1 + Math.exp(-(1.5 * 1.5 - 0.25))), 6)
  })

  test('of a text without tokens ends without failure, and finds no good match', async () => {
    const model = await staticModel(modelFolder())
    const context = { snapshot: await memorySnapshot(cards, model), model }
    for (const query of ['', '!?', '\u0000']) {
      const answer = await search(context, { kind: 'tool', query })
      expect(answer.match).toBe('none')
      for (const { score } of answer.candidates) expect(Number.isFinite(score)).toBe(true)
    }
  })

  test('over a LanceDB store is the same as in memory, after a later commit too', async () => {
    const model = await staticModel(modelFolder())
    const home = storeFolder()
    const reader = lanceReader(home, { recheckMs: 0 })
    const sameAs = async (oracle: CatalogSnapshot, stored: CatalogSnapshot, own: EmbeddingModel) => {
      for (const query of asked)
        for (const kind of ['tool', 'agent'] as const) {
          const request = { kind, query, k: 20 }
          const answer = await search({ snapshot: stored, model: own }, request)
          expect(answer.ranker).toBe('learned')
          const { generation: _own, ...expected } = await search({ snapshot: oracle, model: own }, request)
          expect(answer).toMatchObject(expected)
        }
    }
    try {
      await commit(home, { put: smallCatalog }, { model })
      await sameAs(await memorySnapshot(smallCatalog, model), await reader.snapshot(), model)
      await commit(home, { put: cards }, { model })
      await sameAs(await memorySnapshot([...smallCatalog, ...cards], model), await reader.snapshot(), model)
    } finally {
      await reader.close()
    }
  })
})
