import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gatherTexts } from '../../embeddings/trainer/src/contrastive/texts.ts'
import { interactionTexts } from '../../embeddings/trainer/src/interaction/interaction-texts.ts'
import { interactionTrainer } from '../../embeddings/trainer/src/interaction/interaction-trainer.ts'
import { trainInteraction } from '../../embeddings/trainer/src/interaction/train-interaction.ts'
import { defaultRecipe, embeddedFields } from '../../embeddings/trainer/src/recipe.ts'
import type { TrainingTexts } from '../../embeddings/trainer/src/training-texts.ts'
import { mulberry32 } from '../../src/domain/random.ts'
import { matchedTokens, mostQueryTokens } from '../../src/retrieval/rank/soft-match.ts'
import { byteTokens } from '../../src/vectors/embedding/segment-word.ts'
import { quantise, staticEmbedding } from '../../src/vectors/embedding/static-embedding.ts'
import type { LearnedVectors } from '../../src/vectors/embedding/token-vectors.ts'
import { vocabularyOf } from '../../src/vectors/embedding/vocabulary.ts'

/** Random vectors, the same at each call. */
function randomVectors(tokens: number, dimensions: number): LearnedVectors {
  const random = mulberry32(7)
  return {
    dimensions,
    table: Float32Array.from({ length: tokens * dimensions }, () => random() - 0.5),
    queryWeights: new Float32Array(tokens),
    documentWeights: new Float32Array(tokens),
  }
}

const row = ({ table, dimensions }: LearnedVectors, token: number): Float32Array =>
  table.subarray(token * dimensions, (token + 1) * dimensions)
const cosine = (vectors: LearnedVectors, token: number, other: number): number =>
  row(vectors, token).reduce((sum, value, at) => sum + value * row(vectors, other)[at]!, 0)

describe('a trainer of token vectors', () => {
  /** Token n asks for what token 10 + n names; 20 to 29 are said with every request, 30 to 39 by every card. */
  const cardOf = (of: number) => ({ name: Uint32Array.of(10 + of), text: Uint32Array.of(30, 31 + (of % 9)) })
  const learn = (steps: number) => {
    const trainer = interactionTrainer(randomVectors(40, 16))
    const random = mulberry32(3)
    const draw = (most: number): number => Math.floor(random() * most)
    const losses = Array.from({ length: steps }, () => {
      const asked = draw(10)
      const others = [1, 2, 3, 4].map((step) => cardOf((asked + step + draw(3)) % 10))
      return trainer.step(Uint32Array.of(asked, 20 + draw(10)), [cardOf(asked), ...others], 0.1)
    })
    return { vectors: trainer.vectors, losses }
  }

  test('draws words of a request to the words of what serves it, and away from others', () => {
    const { vectors, losses } = learn(1500)
    const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
    expect(mean(losses.slice(-100))).toBeLessThan(0.2 * mean(losses.slice(0, 100)))
    for (let asked = 0; asked < 10; asked += 1)
      for (let other = 10; other < 20; other += 1)
        if (other !== 10 + asked)
          expect(cosine(vectors, asked, 10 + asked)).toBeGreaterThan(cosine(vectors, asked, other))
  })

  test('learns that words said with every request tell little', () => {
    const { queryWeights } = learn(1500).vectors
    const telling = Math.min(...queryWeights.subarray(0, 10))
    for (const always of queryWeights.subarray(20, 30)) expect(always).toBeLessThan(telling)
  })

  test('learns which words of a name are asked for', () => {
    const start = randomVectors(3, 8)
    start.table.set([1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0])
    const { vectors, step } = interactionTrainer(start)
    const serving = { name: Uint32Array.of(0, 2), text: new Uint32Array() }
    const other = { name: Uint32Array.of(1, 2), text: Uint32Array.of(0) }
    step(Uint32Array.of(0), [serving, other], 0.1)
    expect(vectors.documentWeights[0]).toBeGreaterThan(0)
    expect(vectors.documentWeights[2]).toBeLessThan(0)
  })

  test('pushes away a card that is far behind what serves, but near enough to be taken for it alone', () => {
    const start = randomVectors(2, 8)
    start.table.set([1, 0, 0, 0, 0, 0, 0, 0, 0.3, Math.sqrt(1 - 0.09), 0, 0, 0, 0, 0, 0])
    const { vectors, step } = interactionTrainer(start)
    const named = (token: number) => ({ name: Uint32Array.of(token), text: new Uint32Array() })
    expect(step(Uint32Array.of(0), [named(0), named(1)], 0.1)).toBeLessThan(1e-5)
    expect(cosine(vectors, 0, 1)).toBeLessThan(0.29)
  })

  test('keeps vectors at length 1 and those without any at 0, whatever it reads, and no number is lost', () => {
    const token = fc.integer({ min: 0, max: 19 })
    const list = (most: number) =>
      fc.uniqueArray(token, { maxLength: most }).map((tokens) => Uint32Array.from(tokens))
    const card = fc.record({ name: list(12), text: list(20) })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(list(20), fc.array(card, { minLength: 2, maxLength: 4 })), { maxLength: 8 }),
        (steps) => {
          const start = randomVectors(20, 8)
          start.table.fill(0, 0, 3 * 8)
          const { vectors, step } = interactionTrainer(start)
          for (const [query, cards] of steps)
            if (query.length > 0) expect(step(query, cards, 0.5)).toBeGreaterThanOrEqual(0)
          for (let at = 0; at < 20; at += 1) {
            const length = Math.hypot(...row(vectors, at))
            if (at < 3 && length === 0) continue
            expect(length).toBeCloseTo(1, 4)
          }
          expect([...vectors.queryWeights, ...vectors.documentWeights].every(Number.isFinite)).toBe(true)
        },
      ),
    )
  })
})

describe('texts for it', () => {
  const words = ['send', 'mail', 'list', 'files', 'weather', 'of', 'a', 'city']
  const vocabulary = vocabularyOf([...byteTokens, ...words])
  const { tokens } = staticEmbedding(
    quantise({
      vocabulary,
      ...randomVectors(vocabulary.size, 8),
      queryLimit: 100,
      fields: [{ name: 'name', limit: 16, weight: 1 }],
    }),
  )
  const { fieldTokens, queryTokens } = defaultRecipe

  test('are cut as a search cuts them', () => {
    const text = fc
      .array(fc.constantFrom(...words, 'zebra', 'é'), { maxLength: 70 })
      .map((all) => all.join(' '))
    const texts = fc.record({ name: text, description: text, parameters: text, examples: text, body: text })
    fc.assert(
      fc.property(text, texts, (query, card) => {
        const gatherer = gatherTexts()
        const asked = gatherer.add([{ field: 0, tokens: vocabulary.encode(query, queryTokens) }])
        const found = gatherer.add(
          embeddedFields.map((field, place) => ({
            field: place + 1,
            tokens: vocabulary.encode(card[field], fieldTokens[field]),
          })),
        )
        const cut = interactionTexts(gatherer.texts())
        expect(cut.query(asked)).toEqual(tokens.tokensOf(query, mostQueryTokens))
        expect(cut.card(found)).toEqual(matchedTokens(tokens)({ ...card, enrichment: '' }))
        expect(cut.card(found)).toBe(cut.card(found))
      }),
    )
  })
})

describe('a training of token vectors', () => {
  /** Queries 0..7; card 8 + n serves query n, and its name is the query's word plus 8. */
  const gatherer = gatherTexts()
  for (let at = 0; at < 8; at += 1) gatherer.add([{ field: 0, tokens: [at, 16] }])
  for (let at = 0; at < 8; at += 1) gatherer.add([{ field: 1, tokens: [8 + at] }])
  const texts: TrainingTexts = {
    texts: gatherer.texts(),
    keys: Uint32Array.from({ length: 16 }, (_, text) => (text < 8 ? 0 : text)),
    cards: [Uint32Array.of(8, 9, 10, 11, 12, 13, 14, 15)],
    supervised: Array.from({ length: 8 }, (_, at) => ({
      query: at,
      positives: [8 + at],
      negatives: [8 + ((at + 1) % 8)],
      fold: null,
    })),
    selfSupervised: [],
    heldOut: [],
  }
  const recipe = {
    ...defaultRecipe,
    interaction: { ...defaultRecipe.interaction, dimensions: 8, epochs: 60, learningRate: 0.2 },
  }
  const start = randomVectors(17, 16)
  const train = (more: Partial<Parameters<typeof trainInteraction>[0]> = {}) =>
    trainInteraction({ texts, start, recipe, seed: 1, ...more })

  test('learns, tells how far it is, and gives the same for the same', async () => {
    const shares: number[] = []
    const { vectors, losses } = await train({ onProgress: (share) => shares.push(share) })
    expect(losses).toHaveLength(60)
    expect(losses.at(-1)).toBeLessThan(0.5 * losses[1]!)
    expect(vectors.dimensions).toBe(8)
    for (let at = 0; at < 8; at += 1)
      expect(cosine(vectors, at, 8 + at)).toBeGreaterThan(cosine(vectors, at, 8 + ((at + 1) % 8)))
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
    expect(await train()).toEqual({ vectors, losses })
    expect((await train({ seed: 2 })).vectors).not.toEqual(vectors)
  })

  test('never sets a card against a query that it serves, nor one that reads the same', async () => {
    const { losses, vectors } = await train({ texts: { ...texts, keys: new Uint32Array(16) } })
    expect(losses.every((loss) => loss === 0)).toBe(true)
    expect(vectors.queryWeights.every((weight, token) => weight === vectors.documentWeights[token])).toBe(
      true,
    )
  })

  test.each([
    { hardCards: 2, randomCards: 0 },
    { hardCards: 0, randomCards: 2 },
  ])('learns from $hardCards hard cards and $randomCards of the corpus', async (cards) => {
    const { losses } = await train({
      recipe: { ...recipe, interaction: { ...recipe.interaction, ...cards } },
    })
    expect(losses[0]).toBeGreaterThan(0)
    expect(losses.at(-1)).toBeLessThan(losses[0]!)
  })

  test('stops when it is told to', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const training = train({
      signal: stop.signal,
      onProgress: (share) => {
        if (share > 0.5) stop.abort(reason)
      },
    })
    await expect(training).rejects.toBe(reason)
  })

  test('draws at most so many queries of a corpus in an epoch', async () => {
    const few = { ...recipe, interaction: { ...recipe.interaction, queriesPerSet: 2, epochs: 1 } }
    const { vectors } = await train({ recipe: few })
    const changed = Array.from(
      { length: 8 },
      (_, at) => vectors.queryWeights[at]! !== vectors.documentWeights[at]!,
    )
    expect(changed.filter(Boolean)).toHaveLength(2)
  })
})
