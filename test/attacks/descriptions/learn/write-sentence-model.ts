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
} from './train-sentence-model.ts'
import { repositoryFolder } from '../corpus.ts'
import {
  learnOpinion,
  type LeftOut,
  leftOut,
  nearlyNoticed,
  opinionsLeftOut,
  packedOpinion,
} from './learn-second-opinion.ts'
import { ordinaryTexts } from './ordinary-texts.ts'
import { bagOf, type Example, examples } from './sentence-corpus.ts'

/** Of ordinary texts, one in so many is learned from whatever it says; of the others those that the first model takes for attacks. */
const sampled = 20
const suspected = -2

/**
 * Learns the model of sentences and the second opinion on what it notices, and writes both into the source; the same texts give the same bytes. With `--authors`
 * leaves out authors in groups instead, and prints how both do on what those wrote.
 *
 *     npm run scan-model [-- --authors] [-- <folder of published sets>/toolret]
 */
function main(data: string, onlyTry: boolean): void {
  if (!existsSync(data))
    throw new Error(`${data}: the published sets are not there, without which other weights are learned`)
  const published = ordinaryTexts(data)
  const digest = createHash('sha256')
  for (const { text } of published) digest.update(text)
  console.log(`${published.length} ordinary texts, ${digest.digest('hex').slice(0, 12)}`)
  const all = examples()
  const sample = published.filter((_, at) => at % sampled === 0).flatMap(bagOf)
  const first = learn(all, sample, hasty)
  const others = published.filter((_, at) => at % sampled !== 0)
  const rest = others.flatMap(bagOf)
  const early = rest.filter((features) => learnedScore(first, features) > suspected)
  const second = learn(all, [...sample, ...early], hasty)
  const mined = rest.filter((features) =>
    [first, second].some((model) => learnedScore(model, features) > suspected),
  )
  console.log(`${sample.length} windows of ordinary texts, ${mined.length} more that look suspicious`)
  const ordinary = [...sample, ...mined]
  const once = { ...sentenceSettings, runs: 1 }
  const texts = leftOut(all, (from) => learn(from, ordinary, once))
  const nearly = nearlyNoticed(others, first)
  if (onlyTry) {
    print('sentences alone', new Map(texts.map((one) => [one, one.score])))
    print('with the second opinion', opinionsLeftOut(texts, nearly, 0.5))
    return
  }
  const packed = packSentenceModel(quantised(learn(all, ordinary)))
  write('sentence-weights.json', packed)
  console.log(packed.sha256)
  write('second-opinion.json', packedOpinion(learnOpinion(texts, nearly)))
}

const write = (name: string, data: object): void =>
  writeFileSync(repositoryFolder(`src/trust/scan/learned/${name}`), `${JSON.stringify(data, null, 2)}\n`)

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

/** By limit, means over authors: attacks and honest texts over it, and the share of the author whose honest texts are over it most often. */
function print(title: string, scores: ReadonlyMap<LeftOut, number>): void {
  const authors = [...new Set([...scores.keys()].map(({ author }) => author))]
  console.log(`${title}: from, attacks, honest, worst author's honest`)
  const scoresOf = (author: string, isAttack: boolean): readonly number[] =>
    [...scores].flatMap(([one, score]) => (one.author === author && one.isAttack === isAttack ? [score] : []))
  const [attacks, honest] = [true, false].map((isAttack) =>
    authors.map((author) => scoresOf(author, isAttack)),
  )
  for (let limit = -0.5; limit < 1.25; limit += 0.05) {
    const shares = (of: readonly (readonly number[])[]): readonly number[] =>
      of.map((own) => own.filter((score) => score >= limit).length / Math.max(1, own.length))
    const mean = (of: readonly number[]): number => of.reduce((sum, one) => sum + one, 0) / of.length
    const figures = [mean(shares(attacks!)), mean(shares(honest!)), Math.max(...shares(honest!))]
    console.log(`  ${limit.toFixed(2)} ${figures.map((figure) => figure.toFixed(3)).join(' ')}`)
  }
}

const [, , ...words] = process.argv
main(words.find((word) => !word.startsWith('--')) ?? '../shared/data/toolret', words.includes('--authors'))
