import { readFileSync } from 'node:fs'
import { featuresOf } from '../../../../src/trust/scan/learned/features.ts'
import { windowsToRead } from '../../../../src/trust/scan/read-text.ts'
import { type CardText, textsOfCard } from '../../../../src/trust/scan/card-texts.ts'
import { readableText } from '../../../../src/trust/scan/text/plain-text.ts'
import { wordsOf } from '../../../../src/trust/scan/text/words.ts'
import { recombinedTexts } from './recombined-texts.ts'
import type { Bag } from './train-sentence-model.ts'
import { readPart, repositoryFolder, type Sample } from '../corpus.ts'
import { sentences } from '../evasions.ts'
import { attackParts, honestParts } from '../measure.ts'
import { attacksA, honestA } from '../unseen/authored-a.ts'

/** A text or card to learn from. */
export type Example = {
  /** Who wrote it: to leave one out is to ask how the model does on another's texts. */
  readonly author: string
  readonly class: string
  readonly isAttack: boolean
  readonly texts: readonly Text[]
  readonly bag: Bag
}

export type Text = Omit<CardText, 'field'>

/** Classes whose attack is no sentence that could be read as it stands. */
const unspoken = /homoglyph|look-alike|near-names|^names$|secrets|hidden-char|encoded|disguis/

/** All texts to learn from, but for those of published catalogs. */
export function examples(): readonly Example[] {
  const cards = (author: string, isAttack: boolean, samples: readonly Sample[]): Example[] =>
    samples
      .filter((sample) => !isAttack || !unspoken.test(sample.class))
      .map((sample) => example({ author, class: sample.class, isAttack, texts: textsOfCard(sample.card) }))
  return [
    ...cards('first', true, attackParts.flatMap(readPart)),
    ...cards('first', false, honestParts.flatMap(readPart)),
    ...sentences.map(
      (text): Example =>
        example({ author: 'first', class: 'evasions', isAttack: true, texts: [reference(text)] }),
    ),
    ...cards('a', true, attacksA),
    ...cards('a', false, honestA),
    ...[...'xyztuvwnopqrskmefghijbcdl1234567890', 'plain'].flatMap((author) => [
      ...lines(author, true),
      ...lines(author, false),
    ]),
    ...recombinedTexts().map(
      ({ language, isAttack, text }): Example =>
        example({ author: 'recombined', class: language, isAttack, texts: [reference(text)] }),
    ),
  ]
}

const reference = (text: string): Text => ({ text, register: 'reference' })
const example = (of: Omit<Example, 'bag'>): Example => ({ ...of, bag: of.texts.flatMap(bagOf) })

/** Texts one by one, `embeddings/trainer/data/descriptions/{attacks,honest}-<author>.txt`. */
function lines(author: string, isAttack: boolean): readonly Example[] {
  const path = `embeddings/trainer/data/descriptions/${isAttack ? 'attacks' : 'honest'}-${author}.txt`
  let name = ''
  return readFileSync(repositoryFolder(path), 'utf8')
    .split('\n')
    .flatMap((line): Example[] => {
      const title = /^## (.+)/.exec(line)
      if (title !== null) name = title[1]!
      if (title !== null || line.trim() === '') return []
      const register = name === 'agent-prompts' ? 'prompt' : 'reference'
      return [example({ author, class: name, isAttack, texts: [{ text: line, register }] })]
    })
}

/** Longer texts are learned from to this length, in UTF-16 units. */
const longest = 50_000
const shortestName = 16

export const bagOf = (text: Text): Bag =>
  windowsIn(text).windows.map((window) => featuresOf(window, text.register))

/** A text as it is read, and the windows of which the model is asked. */
export function windowsIn({ text, register }: Text) {
  const plain = readableText(text.slice(0, longest))
  const isShort = register === 'name' && text.length < shortestName
  return { plain, windows: isShort ? [] : windowsToRead(plain, register, wordsOf(plain)) }
}
