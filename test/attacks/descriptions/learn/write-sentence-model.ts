import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { packSentenceModel } from '../../../../src/trust/scan/learned/sentence-model.ts'
import {
  type Bag,
  type LearnedWeights,
  learnedScore,
  quantised,
  type SentenceSettings,
  sentenceSettings,
  sharedFeatures,
  trainSentenceModel,
  worstOf,
} from './train-sentence-model.ts'
import { repositoryFolder } from '../corpus.ts'
import { ordinaryTexts } from './ordinary-texts.ts'
import { bagOf, type Example, examples } from './sentence-corpus.ts'

/** Of ordinary texts, one in so many is learned from whatever it says; of the others those that the first model takes for attacks. */
const sampled = 20
const suspected = -2

/**
 * Learns the model of sentences and writes it into the source; the same texts give the same bytes. With `--authors`
 * leaves out one author after the other instead, and prints how the model does on what that author wrote.
 *
 *     npm run scan-model [-- --authors] [-- <folder of published sets>/toolret]
 */
function main(data: string, onlyTry: boolean): void {
  if (!existsSync(data))
    throw new Error(`${data}: the published sets are not there, without which other weights are learned`)
  const texts = ordinaryTexts(data)
  const digest = createHash('sha256')
  for (const { text } of texts) digest.update(text)
  console.log(`${texts.length} ordinary texts, ${digest.digest('hex').slice(0, 12)}`)
  const all = examples()
  const sample = texts.filter((_, at) => at % sampled === 0).flatMap(bagOf)
  const first = learn(all, sample, hasty)
  const rest = texts.filter((_, at) => at % sampled !== 0).flatMap(bagOf)
  const early = rest.filter((features) => learnedScore(first, features) > suspected)
  const second = learn(all, [...sample, ...early], hasty)
  const mined = rest.filter((features) =>
    [first, second].some((model) => learnedScore(model, features) > suspected),
  )
  console.log(`${sample.length} windows of ordinary texts, ${mined.length} more that look suspicious`)
  const ordinary = [...sample, ...mined]
  if (onlyTry) {
    for (const author of new Set(all.map((example) => example.author))) tryOn(author, all, ordinary)
    return
  }
  const packed = packSentenceModel(quantised(learn(all, ordinary)))
  const path = repositoryFolder('src/trust/scan/learned/sentence-weights.json')
  writeFileSync(path, `${JSON.stringify(packed, null, 2)}\n`)
  console.log(`${path}: ${packed.sha256}`)
}

/** Enough to tell which ordinary texts look suspicious. */
const hasty: SentenceSettings = { ...sentenceSettings, runs: 1, epochs: 3 }

const learn = (
  from: readonly Example[],
  ordinary: Bag,
  settings: SentenceSettings = sentenceSettings,
): LearnedWeights =>
  trainSentenceModel(
    {
      attacks: from.filter(({ isAttack }) => isAttack).map(({ bag }) => bag),
      honest: from.filter(({ isAttack }) => !isAttack).map(({ bag }) => bag),
      ordinary,
      shared: sharedFeatures(from),
    },
    settings,
  )

function tryOn(author: string, all: readonly Example[], ordinary: Bag): void {
  const learned = learn(
    all.filter((example) => example.author !== author),
    ordinary,
  )
  const scores = (isAttack: boolean): readonly number[] =>
    all
      .filter((example) => example.author === author && example.isAttack === isAttack)
      .map(({ bag }) => worstOf(learned, bag)?.score ?? Number.NEGATIVE_INFINITY)
  const attacks = scores(true)
  const honest = scores(false)
  const over = (limit: number, of: readonly number[]): string =>
    (of.filter((score) => score >= limit).length / of.length).toFixed(3)
  console.log(`${author}: ${attacks.length} attacks, ${honest.length} honest`)
  for (const limit of [-1, -0.5, 0, 0.5, 0.8, 1, 1.2, 1.5, 2])
    console.log(`  from ${limit.toFixed(1)}: attacks ${over(limit, attacks)}, honest ${over(limit, honest)}`)
}

const [, , ...words] = process.argv
main(words.find((word) => !word.startsWith('--')) ?? '../shared/data/toolret', words.includes('--authors'))
