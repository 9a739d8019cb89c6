import { readFileSync } from 'node:fs'
import {
  type OpinionHead,
  opinionOn,
  type PackedOpinion,
  type ReaderPart,
  type TokenReader,
  tokenReader,
} from '../../../../src/trust/scan/learned/second-opinion.ts'
import type { Window } from '../../../../src/trust/scan/learned/windows.ts'
import { repositoryFolder } from '../corpus.ts'
import { bagOf, type Example, type Text, windowsIn } from './sentence-corpus.ts'
import { type LearnedWeights, learnedScore } from './train-sentence-model.ts'
import { type NoticedSentence, trainOpinion } from './train-second-opinion.ts'

/** Layers of the reader that are read: what they say of a token is nearer to its words than what the last one says. */
const layers = 2
/** Authors are left out in so many groups. */
const groups = 8
/** Sentences below this score are far from being noticed. */
const farBelow = -1

/** Sentences of one author's text that come near to being noticed by a model that has not learned from that author. */
export type LeftOut = {
  readonly author: string
  readonly isAttack: boolean
  readonly group: number
  /** The worst score of the text. */
  readonly score: number
  readonly sentences: readonly NoticedSentence[]
}

const rounded = (score: number): number => Number(score.toFixed(3))

function openReader(): TokenReader {
  const read = tokenReader(readerPart())
  if (read !== null) return read
  throw new Error('The reader in embeddings/audition-1 cannot be opened: is it there, and whole?')
}

const spanOf = (plain: string, window: Window): string => plain.slice(window[0]!.start, window.at(-1)!.end)

const sentencesOf = (text: Text): readonly string[] => {
  const { plain, windows } = windowsIn(text)
  return windows.map((window) => spanOf(plain, window))
}

/** @param learn - learns the model of sentences from some authors */
export function leftOut(
  all: readonly Example[],
  learn: (from: readonly Example[]) => LearnedWeights,
): readonly LeftOut[] {
  const read = openReader()
  const authors = [...new Set(all.map(({ author }) => author))].filter((author) => author !== 'recombined')
  return Array.from({ length: groups }).flatMap((_, group) => {
    const isLeftOut = ({ author }: Example): boolean => authors.indexOf(author) % groups === group
    const learned = learn(all.filter((one) => !isLeftOut(one)))
    return all.filter(isLeftOut).map(({ author, isAttack, bag, texts }): LeftOut => {
      const scores = bag.map((features) => rounded(learnedScore(learned, features)))
      const score = scores.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY)
      const said = score < farBelow ? [] : texts.flatMap(sentencesOf)
      // Of an attack nobody said which sentence it is.
      const sentences = scores.flatMap((one, at) =>
        one < farBelow || (isAttack && one < score) ? [] : [{ rows: read(said[at]!), score: one, isAttack }],
      )
      return { author, isAttack, group, score, sentences }
    })
  })
}

/** Sentences of published texts that come near to being noticed by a model that has not learned from them. */
export function nearlyNoticed(texts: readonly Text[], learned: LearnedWeights): readonly NoticedSentence[] {
  const read = openReader()
  return texts.flatMap((text) => {
    const scores = bagOf(text).map((features) => rounded(learnedScore(learned, features)))
    const said = scores.some((score) => score >= farBelow) ? sentencesOf(text) : []
    return scores.flatMap((score, at) =>
      score < farBelow ? [] : [{ rows: read(said[at]!), score, isAttack: false }],
    )
  })
}

export const learnOpinion = (texts: readonly LeftOut[], ordinary: readonly NoticedSentence[]): OpinionHead =>
  trainOpinion([...texts.flatMap(({ sentences }) => sentences), ...ordinary])

/** What each text comes to, by a head that has not learned from its author either; the others' score where nothing is near to being noticed. */
export function opinionsLeftOut(
  texts: readonly LeftOut[],
  ordinary: readonly NoticedSentence[],
  share: number,
): ReadonlyMap<LeftOut, number> {
  const scores = new Map<LeftOut, number>()
  for (let group = 0; group < groups; group++) {
    const head = learnOpinion(
      texts.filter((one) => one.group !== group),
      ordinary,
    )
    for (const one of texts)
      if (one.group === group)
        scores.set(
          one,
          one.sentences.reduce(
            (most, { rows, score }) => Math.max(most, score + share * opinionOn(head, rows)),
            Number.NEGATIVE_INFINITY,
          ),
        )
  }
  return scores
}

export const packedOpinion = (head: OpinionHead): PackedOpinion => ({
  ...readerPart(),
  ...head,
  units: Buffer.from(head.units.buffer).toString('base64'),
})

function readerPart(): ReaderPart {
  const path = repositoryFolder('embeddings/audition-1/reader/model.json')
  const { hidden, heads, intermediate, positions, tokens, epsilon, files } = JSON.parse(
    readFileSync(path, 'utf8'),
  ) as ReaderPart['shape'] & Pick<ReaderPart, 'files'>
  return { shape: { layers, hidden, heads, intermediate, positions, tokens, epsilon }, files }
}
