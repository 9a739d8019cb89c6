import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { openVocabulary, packVocabulary } from '../../../src/vectors/embedding/packed-vocabulary.ts'
import { type Vocabulary, vocabularyOf } from '../../../src/vectors/embedding/vocabulary.ts'
import { textsOf } from '../../../src/retrieval/text/card-texts.ts'
import type { TrainingCorpus } from './data/corpus.ts'
import { learnVocabulary } from './learn-vocabulary.ts'
import type { TrainingRecipe } from './recipe.ts'
import { TrainingError } from './training-error.ts'
import { eachChunk, joinedForm, wordsOfChunk } from '../../../src/vectors/embedding/split-words.ts'

/** Names of letters with digits (`s3`, `k8s`, `mp3`) count as words of their own up to this length. */
const maxMixedLength = 8
const mixed = /\p{N}/u

/**
 * How often each word stands in the texts, and each short name of letters with digits joined (`s3` beside s and 3).
 * Joined names of letters (`GitHub`) are left to those who write them as one word: most others are no words at all.
 */
export function countWords(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (word: string): void => {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  for (const text of texts) {
    eachChunk(text, (from, to) => {
      const words = wordsOfChunk(text.slice(from, to))
      words.forEach(add)
      const joined = joinedForm(words)
      if (joined !== undefined && joined.length <= maxMixedLength && mixed.test(joined)) add(joined)
      return true
    })
  }
  return counts
}

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
