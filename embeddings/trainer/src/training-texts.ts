import { setImmediate } from 'node:timers/promises'
import type { Vocabulary } from '../../../src/vectors/embedding/vocabulary.ts'
import type { Card } from '../../../src/domain/card.ts'
import { openCardIndex, packCardIndex } from '../../../src/retrieval/index/card-index.ts'
import { textsOf } from '../../../src/retrieval/text/card-texts.ts'
import { type FieldTokens, gatherTexts, type TokenTexts } from './contrastive/texts.ts'
import { mulberry32 } from '../../../src/domain/random.ts'
import type { TrainingCorpus } from './data/corpus.ts'
import { selfSupervisedPairs } from './data/self-supervised-pairs.ts'
import type { Folds } from './folds.ts'
import { hardNegatives } from './hard-negatives.ts'
import { embeddedFields, type TrainingRecipe } from './recipe.ts'

/** A query and what answers it, by the numbers of their texts. */
export type TrainingPair = {
  readonly query: number
  /** At least one. */
  readonly positives: readonly number[]
  /** Cards that look alike but do not serve; may be empty. */
  readonly negatives: readonly number[]
  /** The fold whose model does not see the pair; null for pairs that all see. */
  readonly fold: number | null
}

/** A query that is measured and not trained on. */
export type HeldOutQuery = Pick<TrainingPair, 'query' | 'positives' | 'fold'> & { readonly corpus: number }

/** Everything that is trained on, as tokens. */
export type TrainingTexts = {
  readonly texts: TokenTexts
  /** Per text: equal where two cards read the same, and for a card and a part of it; 0 for queries. */
  readonly keys: Uint32Array
  /** Per corpus the texts of its cards. */
  readonly cards: readonly Uint32Array[]
  readonly supervised: readonly TrainingPair[]
  readonly selfSupervised: readonly TrainingPair[]
  readonly heldOut: readonly HeldOutQuery[]
}

type TrainingTextsInput = {
  readonly corpora: readonly TrainingCorpus[]
  readonly vocabulary: Vocabulary
  readonly recipe: TrainingRecipe
  readonly folds: Folds
  /** Normalised texts that are no anchor of a self-supervised pair. */
  readonly developmentTexts: ReadonlySet<string>
  readonly seed: number
  readonly signal?: AbortSignal | undefined
  /** Told the share of the corpora that is done, 0..1. */
  readonly onProgress?: (share: number) => void
}

/** Queries between two looks at the signal. */
const stride = 200

/** @throws the signal's reason when it is aborted */
export async function trainingTexts(input: TrainingTextsInput): Promise<TrainingTexts> {
  const { corpora, vocabulary, recipe, folds, signal, onProgress = () => {} } = input
  const gatherer = gatherTexts()
  const keys: number[] = []
  const keyOfTokens = new Map<string, number>()
  const add = (parts: readonly FieldTokens[], key: number): number => {
    keys.push(key)
    return gatherer.add(parts)
  }
  const keyOf = (parts: readonly FieldTokens[]): number => {
    const joined = parts.map(({ tokens }) => Array.from(tokens).join(' ')).join('|')
    const key = keyOfTokens.get(joined) ?? keyOfTokens.size + 1
    keyOfTokens.set(joined, key)
    return key
  }
  const plain = (text: string, field: number, limit: number): FieldTokens => ({
    field,
    tokens: vocabulary.encode(text, limit),
  })
  const asPositive = 1 + embeddedFields.indexOf('description')
  const random = mulberry32(input.seed)
  const supervised: TrainingPair[] = []
  const selfSupervised: TrainingPair[] = []
  const heldOut: HeldOutQuery[] = []
  const cards: Uint32Array[] = []

  for (const [corpus, { cards: own, queries }] of corpora.entries()) {
    onProgress(corpus / corpora.length)
    await setImmediate()
    signal?.throwIfAborted()
    const textOf = new Map<string, number>()
    for (const card of own) {
      const parts = fieldTokens(card, vocabulary, recipe)
      if (parts.every(({ tokens }) => tokens.length === 0)) continue
      textOf.set(card.id, add(parts, keyOf(parts)))
    }
    cards.push(Uint32Array.from(textOf.values()))
    const index = queries.length === 0 ? null : openCardIndex(packCardIndex(own))
    for (const [place, { text, relevant }] of queries.entries()) {
      if (place % stride === 0) {
        await setImmediate()
        signal?.throwIfAborted()
      }
      const positives = relevant.flatMap((id) => textOf.get(id) ?? [])
      const asked = plain(text, 0, recipe.queryTokens)
      if (positives.length === 0 || asked.tokens.length === 0) continue
      const pair = { query: add([asked], 0), positives, fold: folds.ofQuery(corpus, text) }
      if (random() < recipe.heldOut) {
        heldOut.push({ ...pair, corpus })
        continue
      }
      const wanted = new Set(positives.map((number) => keys[number]!))
      const negatives =
        index === null
          ? []
          : hardNegatives(index, text, recipe.hardNegatives, (id) => {
              const number = textOf.get(id)
              return number === undefined || wanted.has(keys[number]!) ? undefined : number
            })
      supervised.push({ ...pair, negatives })
    }
    for (const { cardId, anchor, positive } of selfSupervisedPairs(own, input.developmentTexts)) {
      const asked = plain(anchor, 0, recipe.queryTokens)
      const answer = plain(positive, asPositive, recipe.pairTokens)
      const card = textOf.get(cardId)
      if (card === undefined || asked.tokens.length === 0 || answer.tokens.length === 0) continue
      const query = add([asked], 0)
      const positives = [add([answer], keys[card]!)]
      selfSupervised.push({ query, positives, negatives: [], fold: folds.ofCards(corpus) })
    }
  }
  onProgress(1)
  return {
    texts: gatherer.texts(),
    keys: Uint32Array.from(keys),
    cards,
    supervised,
    selfSupervised,
    heldOut,
  }
}

/** The tokens of a card, field by field; fields count from 1, since 0 is the queries'. */
function fieldTokens(card: Card, vocabulary: Vocabulary, { fieldTokens }: TrainingRecipe): FieldTokens[] {
  const texts = textsOf(card)
  return embeddedFields.map((field, place) => ({
    field: place + 1,
    tokens: vocabulary.encode(texts[field], fieldTokens[field]),
  }))
}
