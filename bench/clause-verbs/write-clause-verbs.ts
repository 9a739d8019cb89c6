/**
 * Writes `src/retrieval/query/steps/clause-verbs.ts`, the verbs by which requests are split into steps, counted from the cards and queries
 * that the model is trained on; development sets are not read:
 *
 *   npm run clause-verbs -- <folders of training data>
 */
import { writeFile } from 'node:fs/promises'
import { readTrainingCorpora } from '../../embeddings/trainer/src/data/read-training-corpora.ts'
import { countVerbs } from './count-verbs.ts'

const folders = process.argv.slice(2)
if (folders.length === 0) throw new Error('Usage: npm run clause-verbs -- <folders of training data>')
const { corpora } = await readTrainingCorpora(folders)
const { sure, nounLike } = countVerbs(corpora)

/** Lines of at most 100 characters, as the formatter leaves them. */
const lines = (words: readonly string[]): string =>
  words
    .join(' ')
    .match(/.{1,100}(?:\s|$)/g)!
    .map((line, place, all) => `    '${place === all.length - 1 ? line.trim() : line}'`)
    .join(' +\n')

await writeFile(
  'src/retrieval/query/steps/clause-verbs.ts',
  `// Written by \`npm run clause-verbs\`: counted from the training data, not by hand.

/** Verbs with which requests begin, and that are hardly ever nouns. */
const sureVerbs: ReadonlySet<string> = new Set(
  (
${lines(sure)}
  ).split(' '),
)

/** Verbs with which requests begin, and that are often nouns: only an object tells. */
const nounLikeVerbs: ReadonlySet<string> = new Set(
  (
${lines(nounLike)}
  ).split(' '),
)
`,
)
console.log(`${sure.length} verbs, and ${nounLike.length} that are often nouns`)
