/**
 * Writes `src/retrieval/query/steps/clause-verbs.json`, the verbs by which requests are split into steps, counted from the cards and queries
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

await writeFile(
  'src/retrieval/query/steps/clause-verbs.json',
  `${JSON.stringify({ sure: sure.join(' '), nounLike: nounLike.join(' ') }, null, 2)}\n`,
)
console.log(`${sure.length} verbs, and ${nounLike.length} that are often nouns`)
