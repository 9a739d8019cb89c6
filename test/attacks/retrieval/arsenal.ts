import { seededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import type { ToolCard } from '../../../src/domain/card.ts'
import type { EmbeddingModel } from '../../../src/retrieval/ports.ts'
import type { Arsenal, HostileDraft } from './attack.ts'
import { guises, published } from './publish.ts'
import { wordsOf } from './words.ts'

/** The same seed, cards and model give the same attack. */
export function arsenalOf(seed: number, honest: readonly ToolCard[], model: EmbeddingModel | null): Arsenal {
  const holders = new Map<string, number>()
  for (const { name, description } of honest) {
    for (const word of new Set(wordsOf(`${name.replaceAll('_', ' ')} ${description}`.toLowerCase())))
      holders.set(word, (holders.get(word) ?? 0) + 1)
  }
  return {
    random: seededRandom(seed),
    rarity: (word) => Math.log(1 + honest.length / (1 + (holders.get(word.toLowerCase()) ?? 0))),
    cosine: model?.embedCards === undefined ? null : cosineBy(model),
  }
}

function cosineBy(model: EmbeddingModel): NonNullable<Arsenal['cosine']> {
  const queries = new Map<string, Promise<readonly Float32Array[]>>()
  return async ({ name, description, examples = [] }: HostileDraft, text) => {
    if (!queries.has(text)) queries.set(text, model.embed([text], 'query'))
    const [query] = await queries.get(text)!
    const [card] = await model.embedCards!(published([{ name, description, examples }], guises[0]!))
    return card!.reduce((sum, value, at) => sum + value * query![at]!, 0)
  }
}
