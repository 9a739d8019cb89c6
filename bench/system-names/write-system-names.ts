/**
 * Writes `src/retrieval/named-systems/system-names.ts`: what tells the names of systems from other words, learned from the cards and
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

const number = (value: number): string => String(Number(value.toFixed(2)))
const wrapped = (text: string): string =>
  text
    .match(/.{1,110}(?:\s|$)/g)!
    .map((line, place, all) => `'${place === all.length - 1 ? line.trim() : line}'`)
    .join(' +\n  ')
const head = ({ signs, bias }: FitWeights): string =>
  `{ bias: ${number(bias)}, signs: { ${signNames.map((sign, place) => `'${sign}': ${number(signs[place]!)}`).join(', ')} } }`

await writeFile(
  'src/retrieval/named-systems/system-names.ts',
  `// Written by \`npm run system-names\`: learned from the training data, not by hand.
import type { NameHead } from './name-places.ts'

/** Names of servers and products of the training data that are hardly ever written as other words. */
const sureNames: ReadonlySet<string> = new Set(
  (
  ${wrapped(names.sure.join(' '))}
  ).split(' '),
)

/** Names that are words too: only a capital or what the system holds tells. */
const doubtfulNames: ReadonlySet<string> = new Set(
  (
  ${wrapped(names.doubtful.join(' '))}
  ).split(' '),
)

/** Log-odds of a place and a word without a model. */
const plainHead: NameHead = ${head(bySigns)}

/** The same beside the vector of the word. */
const vectorHead: NameHead & { readonly model: string; readonly vector: readonly number[] } = {
  ...${head(byVector)},
  model: '${model.id}',
  vector: [${[...byVector.vector].map(number).join(', ')}],
}
`,
)
console.log(
  `${names.sure.length} names, ${names.doubtful.length} that are words too, ${kept.length} examples`,
)
