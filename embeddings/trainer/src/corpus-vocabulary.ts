import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { openVocabulary, packVocabulary } from '../../../src/vectors/embedding/packed-vocabulary.ts'
import { type Vocabulary, vocabularyOf } from '../../../src/vectors/embedding/vocabulary.ts'
import { textsOf } from '../../../src/retrieval/text/card-texts.ts'
import { countWords } from './count-words.ts'
import type { TrainingCorpus } from './data/corpus.ts'
import { learnVocabulary } from './learn-vocabulary.ts'
import type { TrainingRecipe } from './recipe.ts'
import { TrainingError } from './training-error.ts'

/**
 * The vocabulary of all cards and queries: that of an interrupted training when its file is there, else learned and kept.
 *
 * @param tell - told the share that is done, 0..1
 * @throws TrainingError when the file is damaged
 */
export async function corpusVocabulary(
  corpora: readonly TrainingCorpus[],
  file: string,
  recipe: Pick<TrainingRecipe, 'vocabulary' | 'minimumCount'>,
  tell: (share: number) => void,
): Promise<Vocabulary> {
  if (existsSync(file)) {
    try {
      return openVocabulary(await readFile(file))
    } catch (cause) {
      const remedy = 'Remove this file and call the same command again.'
      throw new TrainingError(`${file}: is damaged.`, remedy, { cause })
    }
  }
  tell(0)
  const tokens = learnVocabulary(countWords(allTexts(corpora)), recipe.vocabulary, {
    minimumCount: recipe.minimumCount,
    onProgress: (step, share) => tell(step === 'pieces' ? share / 2 : (1 + share) / 2),
  })
  const vocabulary = vocabularyOf(tokens)
  await writeFile(`${file}.part`, packVocabulary(vocabulary))
  await rename(`${file}.part`, file)
  return vocabulary
}

function* allTexts(corpora: readonly TrainingCorpus[]): Iterable<string> {
  for (const { cards, queries } of corpora) {
    for (const card of cards) yield* Object.values(textsOf(card))
    for (const { text } of queries) yield text
  }
}
