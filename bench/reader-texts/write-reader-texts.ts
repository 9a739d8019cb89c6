/**
 * Writes what a reader is trained on, as words that the word pieces of the reader are made of: cards and queries of all training data, each query also as
 * keywords and in a story, with the cards that BM25 ranks high and that do not serve it.
 *
 *   npm run reader-texts -- <folder to write> <folders of training data>
 *
 * Development sets are not read. What is done with the files: embeddings/trainer/reader/README.md
 */
import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capSets } from '../../embeddings/trainer/src/data/cap-sets.ts'
import type { TrainingCorpus } from '../../embeddings/trainer/src/data/corpus.ts'
import { readTrainingCorpora } from '../../embeddings/trainer/src/data/read-training-corpora.ts'
import { selfSupervisedPairs } from '../../embeddings/trainer/src/data/self-supervised-pairs.ts'
import { hardNegatives } from '../../embeddings/trainer/src/hard-negatives.ts'
import { inStory, keywordsOf } from '../../embeddings/trainer/src/ranker/request-forms.ts'
import { defaultRecipe } from '../../embeddings/trainer/src/recipe.ts'
import { sample } from '../../embeddings/trainer/src/sample.ts'
import { cardText } from '../../src/adapters/reader-model/model-of-parts.ts'
import { mulberry32, seedOf } from '../../src/domain/random.ts'
import { openCardIndex, packCardIndex } from '../../src/retrieval/index/card-index.ts'
import { wordsOfText } from '../../src/vectors/reader/word-piece.ts'

/** Marks a word of a script without spaces: its pieces begin words. */
const unspaced = '\u0001'
/** Letters of a text that are read at most. */
const longest = 2400
const mostUnrelated = 400
const hard = 12
const mostOfPart = 600

const wordsOf = (text: string): string =>
  Array.from(wordsOfText(text.slice(0, longest)), ({ text: word, isUnspaced }) =>
    isUnspaced ? unspaced + word : word,
  ).join(' ')

const [out, ...folders] = process.argv.slice(2)
if (out === undefined || folders.length === 0)
  throw new Error('Usage: npm run reader-texts -- <folder to write> <folders of training data>')
mkdirSync(out, { recursive: true })
const { queriesPerSet: perSet, queriesPerCard: perCard } = defaultRecipe
const { corpora: all, developmentTexts } = await readTrainingCorpora(folders)
const corpora = all.map((corpus) => capSets(corpus, { perSet, perCard }, 1))
const unrelated = sample(
  corpora.flatMap(({ queries }) => queries.map(({ text }) => text)),
  mostUnrelated,
  mulberry32(1),
)

writeTranslations(out, folders)
const file = createWriteStream(join(out, 'corpora.jsonl'))
const counts = { cards: 0, queries: 0, pairs: 0 }
for (const corpus of corpora) {
  file.write(`${JSON.stringify(recordOf(corpus))}\n`)
}
await new Promise((done) => file.end(done))
console.log(`${counts.cards} cards, ${counts.queries} queries, ${counts.pairs} pairs of parts of cards`)

function recordOf(corpus: TrainingCorpus): object {
  const { name, family, cards, queries } = corpus
  const placeOf = new Map(cards.map((card, place) => [card.id, place]))
  const read = cards.map((card) => wordsOf(cardText(card)))
  const random = mulberry32(1 + seedOf(name))
  const index = queries.length === 0 ? null : openCardIndex(packCardIndex(cards))
  counts.cards += cards.length
  counts.queries += queries.length
  const parts = selfSupervisedPairs(cards, developmentTexts)
  counts.pairs += parts.length
  return {
    name,
    family,
    kind: cards[0]?.kind,
    cards: read,
    queries: queries.map(({ id, text, set, relevant }) => {
      const serving = new Set(relevant.map((card) => read[placeOf.get(card)!]))
      const negatives =
        index === null
          ? []
          : hardNegatives(index, text, hard, (card) => {
              const place = placeOf.get(card)!
              return serving.has(read[place]) ? undefined : place
            })
      return {
        id,
        ...(set === undefined ? {} : { set }),
        text: wordsOf(text),
        keywords: index === null ? '' : wordsOf(keywordsOf(text, index)),
        story: wordsOf(inStory(text, unrelated, random)),
        relevant: relevant.map((card) => placeOf.get(card)!),
        negatives,
      }
    }),
    pairs: parts.map(({ cardId, anchor, positive }) => [
      placeOf.get(cardId)!,
      wordsOf(anchor),
      wordsOf(positive.slice(0, mostOfPart)),
    ]),
  }
}

/** The glossary and the requests that are told in other languages: ours, and those that lie in `languages` of a folder of data. */
function writeTranslations(into: string, data: readonly string[]): void {
  const places = ['embeddings/trainer/data', ...data].map((folder) => join(folder, 'languages'))
  const records = (name: string): readonly Told[] =>
    places
      .map((place) => join(place, name))
      .filter((place) => existsSync(place))
      .flatMap((place) => readFileSync(place, 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line) as Told)
  const entries = records('glossary.jsonl').map(({ en, ...told }) => ({
    en: wordsOf(String(en)),
    told: mapped(told, (words) => (words as readonly string[]).map(wordsOf)),
  }))
  const requests = records('requests.jsonl')
    .filter(({ catalog, split }) => catalog !== undefined && split === 'train')
    .map(({ id, catalog, split: _, english: __, ...told }) => ({
      id,
      catalog,
      told: mapped(told, (text) => wordsOf(String(text))),
    }))
  const lines = (list: readonly object[]): string =>
    list.map((record) => `${JSON.stringify(record)}\n`).join('')
  writeFileSync(join(into, 'glossary.jsonl'), lines(entries))
  writeFileSync(join(into, 'told.jsonl'), lines(requests))
}

type Told = { readonly [field: string]: unknown }

function mapped<T>(record: Told, of: (value: unknown) => T): { readonly [field: string]: T } {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value)]))
}
