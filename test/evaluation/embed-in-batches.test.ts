import { describe, expect, test } from 'vitest'
import { embedInBatches } from '../../src/evaluation/corpora.ts'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'
import { vectorsOfCards } from '../../src/retrieval/vectors-of-cards.ts'
import { agentCard, toolCard } from '../fakes/fake-audition.ts'
import { hashedWordsModel } from '../fakes/hashed-words-model.ts'
import { rankerOver, rankingModel, split, treesOf } from '../fakes/ranking-model.ts'

const ranker = rankerOver(treesOf(split('coverage', 0.5, { atMost: 0, above: 1 })))
const cards = Array.from({ length: 600 }, (_, at) => toolCard(`a/${at}`, { name: `kob ${at}` }))

/** Reads cards by itself, and tells how many came at once. */
function readingCards(): EmbeddingModel & { readonly batches: number[] } {
  const batches: number[] = []
  return {
    ...rankingModel(ranker),
    batches,
    embedCards: async (some) => {
      batches.push(some.length)
      return some.map(({ name }) => Float32Array.of(name.length, Number(name.slice(4))))
    },
  }
}

describe('a model behind batches', () => {
  test('keeps its name, its ranker and its reading of cards', () => {
    const model = readingCards()
    expect(embedInBatches(model)).toMatchObject({ id: model.id, dimensions: model.dimensions, ranker })
    expect(embedInBatches(model).embedCards).toBeInstanceOf(Function)
  })

  test('has neither when the model has none', () => {
    const batched = embedInBatches(hashedWordsModel())
    expect(batched).not.toHaveProperty('ranker')
    expect(batched).not.toHaveProperty('embedCards')
  })

  test('embeds cards as the model reads them, 256 at once, each in its place', async () => {
    const model = readingCards()
    const vectors = await embedInBatches(model).embedCards!(cards)
    expect(model.batches).toEqual([256, 256, 88])
    expect(vectors.map(([, at]) => at)).toEqual(cards.map((_, at) => at))
    expect(await embedInBatches(model).embedCards!([])).toEqual([])
  })

  test('stops between two batches of cards', async () => {
    const model = readingCards()
    const stop = new AbortController()
    const counting: EmbeddingModel = {
      ...model,
      embedCards: async (some) => {
        if (model.batches.length === 1) stop.abort(new Error('enough'))
        return model.embedCards!(some)
      },
    }
    await expect(embedInBatches(counting, stop.signal).embedCards!(cards)).rejects.toThrow('enough')
    expect(model.batches).toEqual([256, 256])
  })

  test('gives documents of a model that reads no cards in batches too, and prepared queries without asking', async () => {
    const model = hashedWordsModel()
    const batched = embedInBatches(model)
    await batched.prepare(['kob', 'lum', 'kob'])
    expect(model.embedded.map(({ text }) => text)).toEqual(['kob', 'lum'])
    const [lum, kob] = await batched.embed(['lum', 'kob'], 'query')
    expect(model.embedded).toHaveLength(2)
    expect([lum, kob]).toEqual(await hashedWordsModel().embed(['lum', 'kob'], 'query'))
    const vectors = await batched.embed(
      cards.map(({ name }) => name),
      'document',
    )
    expect(vectors).toEqual(
      await hashedWordsModel().embed(
        cards.map(({ name }) => name),
        'document',
      ),
    )
  })
})

describe('vectors of cards', () => {
  const mixed = [
    toolCard('a/1', { name: 'send', description: 'an email' }),
    agentCard('b/2', { name: 'poet', description: 'writes', instructions: 'in rhymes' }),
  ]

  test('are made of whole cards where a model chooses what it reads', async () => {
    const seen: unknown[] = []
    const model: EmbeddingModel = {
      ...hashedWordsModel(),
      embedCards: async (some) => {
        seen.push(...some)
        return some.map(() => Float32Array.of(1))
      },
    }
    expect(await vectorsOfCards(model, mixed)).toEqual([Float32Array.of(1), Float32Array.of(1)])
    expect(seen).toEqual(mixed)
  })

  test('are else those of one text, as a document; and can be called off', async () => {
    const model = hashedWordsModel()
    const vectors = await vectorsOfCards(model, mixed)
    expect(model.embedded).toEqual([
      { text: 'send\nan email', role: 'document' },
      { text: 'poet\nwrites\nin rhymes', role: 'document' },
    ])
    expect(vectors).toHaveLength(2)
    const reason = new Error('the caller went away')
    await expect(vectorsOfCards(model, mixed, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
