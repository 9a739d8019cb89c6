/**
 * Writes `src/retrieval/named-systems/system-names.json`: what tells the names of systems from other words, learned from the cards and
 * queries that the model is trained on; development sets are not read. To be run anew after the model's vectors were trained anew:
 *
 *   npm run system-names -- <folders of training data>
 */
import { writeFile } from 'node:fs/promises'
import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { seededRandom } from './seeded-random.ts'
import { knownBy, signNames } from '../../src/retrieval/named-systems/name-places.ts'
import { readTrainingCorpora } from '../../embeddings/trainer/src/data/read-training-corpora.ts'
import { type FitRow, type FitWeights, fitNames } from './fit-names.ts'
import { nameExamples } from './name-examples.ts'

const folders = process.argv.slice(2)
if (folders.length === 0) throw new Error('Usage: npm run system-names -- <folders of training data>')
/** Words that are no names are met far more often than are needed to learn. */
const mostOthers = 150_000
const random = seededRandom(1)

const { corpora } = await readTrainingCorpora(folders)
const model = await staticModel('embeddings/audition-1')
const { matcher } = model.ranker!
const isKnown = knownBy(matcher)
const { examples, names } = nameExamples(corpora, { random, isKnown })
const texts = [...new Set(examples.map(({ text }) => text.toLowerCase()))]
const embedded = await model.embed(texts, 'query')
const vectorOf = new Map(texts.map((text, place) => [text, embedded[place]!]))
const others = examples.filter(({ isName }) => !isName).length
const kept = examples.filter(({ isName }) => isName || random() < mostOthers / others)
const none = new Float32Array()
const rowsWith = (vectorFor: ((text: string) => Float32Array) | null): readonly FitRow[] =>
  kept.map(({ text, signs, isName }) => ({
    vector: vectorFor?.(text.toLowerCase()) ?? none,
    // Without a model nobody knows which words are known.
    signs: signs
      .filter((sign) => vectorFor || !sign.startsWith('unknown'))
      .map((sign) => signNames.indexOf(sign)),
    wanted: isName,
    weight: 1,
  }))
const learned = (dimensions: number, vectorFor: ((text: string) => Float32Array) | null): FitWeights =>
  fitNames(rowsWith(vectorFor), { dimensions, signs: signNames.length, random })
const [byVector, bySigns] = [learned(model.dimensions, (text) => vectorOf.get(text)!), learned(0, null)]

const rounded = (value: number): number => Number(value.toFixed(2))
const head = ({ signs, bias }: FitWeights) => ({
  bias: rounded(bias),
  signs: Object.fromEntries(signNames.map((sign, place) => [sign, rounded(signs[place]!)])),
})

await writeFile(
  'src/retrieval/named-systems/system-names.json',
  `${JSON.stringify(
    {
      sure: names.sure.join(' '),
      doubtful: names.doubtful.join(' '),
      plain: head(bySigns),
      byVector: { ...head(byVector), model: model.id, vector: [...byVector.vector].map(rounded) },
    },
    null,
    2,
  )}\n`,
)
console.log(
  `${names.sure.length} names, ${names.doubtful.length} that are words too, ${kept.length} examples`,
)
