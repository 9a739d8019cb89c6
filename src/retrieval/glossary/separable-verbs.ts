import { wordSet } from '../../domain/text/word-rules.ts'
import { isParticle } from './bases-of-word.ts'
import type { Glossary } from './glossary.ts'

type Placed = {
  readonly start: number
  readonly end: number
  readonly form: string
  readonly isCode: boolean
}
type Senses = readonly string[]

/** Verbs whose imperative and present have another vowel. */
const vowelChanges: { readonly [stem: string]: string } = {
  gib: 'geb',
  nimm: 'nehm',
  lies: 'les',
  sieh: 'seh',
  brich: 'brech',
  sprich: 'sprech',
  wirf: 'werf',
  tritt: 'tret',
  triff: 'treff',
  hilf: 'helf',
  miss: 'mess',
}

/** What ends a clause, between words and as one. */
const clauseEnd = /[.,;:!?()\n]/
const joiners = wordSet('und oder dann sowie danach damit bevor wenn bitte')
const sentenceEnd = /[.;!?\n]/
/** Words between a verb and its particle. */
const mostBetween = 20

/**
 * German verbs that stand apart from their particle, which ends the clause: "lade das Bild hoch" is "hochladen".
 *
 * @returns English by place: of the verb, and none for the particle
 */
export function separatedVerbs(
  text: string,
  words: readonly Placed[],
  glossary: Glossary,
): ReadonlyMap<number, Senses> {
  const found = new Map<number, Senses>()
  const gapAfter = (place: number) => text.slice(words[place]!.end, words[place + 1]?.start)
  const endsClause = (place: number) =>
    place === words.length - 1 || clauseEnd.test(gapAfter(place)) || joiners.has(words[place + 1]!.form)
  for (const [place, { form }] of words.entries()) {
    if (!isParticle(form) || !endsClause(place)) continue
    for (let at = place - 1; at >= 0 && place - at <= mostBetween && !sentenceEnd.test(gapAfter(at)); at--) {
      const word = words[at]!
      if (word.isCode || found.has(at)) continue
      if (at > 0 && /\p{Lu}/u.test(text[word.start]!) && !clauseEnd.test(gapAfter(at - 1))) continue
      const senses = infinitivesOf(word.form)
        .map((verb) => glossary.exactly(form + verb))
        .find((one) => one?.length)
      if (senses === undefined) continue
      found.set(at, senses).set(place, [])
      break
    }
  }
  return found
}

function infinitivesOf(form: string): readonly string[] {
  const stems = [form, form.replace(/e?(?:te|st|t|e|n)$/, ''), form.replace(/e?(?:ten|tet|en)$/, '')]
  return stems.flatMap((stem) => [`${stem}en`, `${stem}n`, `${vowelChanges[stem] ?? stem}en`])
}
