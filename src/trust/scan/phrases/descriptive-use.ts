import { isQuoted } from '../text/quotations.ts'
import type { Words } from '../text/words.ts'
import type { PhraseMatch } from './phrase-index.ts'
import { wordForm } from './phrases.ts'

/** Words back from a phrase that can tell it as something that others do, or deny it. */
const reachOfDescription = 14
const reachOfDenial = 4
const reachAfter = 6

/** Words that speak of attacks and of what is done against them. */
const describing =
  /^(?:detect|identif|flag|block|catch|classif|recogni[sz]|prevent|mitigat|defend|defen[cs]e|reject|refus|resist|sanitiz|neutrali[sz]|attempt|inject|jailbreak|attack|malicious|adversar|suspicious|hostile|payload|exploit|vulnerab|poison|hijack|manipulat|untrusted|trick|phish|erkenn|angriff|attaqu|ataque|detect|атак|обнаруж|блокир)/

/** Words that announce an example or what others say. */
const announcing = new Set(
  'like eg example examples phrases phrase saying says quotes whether e.g tries trying'.split(' '),
)

const denying = new Set(
  'never not dont doesnt wont cannot cant without no avoid refuse refuses nor shouldnt mustnt isnt didnt nicht nie niemals jamais nunca не никогда 不 勿 别 莫'.split(
    ' ',
  ),
)

/** What was denied before one of these is not denied after it. */
const clauseEnd = /[,;:()—–\n，；：]/

/** Where these open a phrase, what was denied before them stays denied. */
const without = new Set('without ohne sans sin sem senza без'.split(' '))

const describingAfter = /^(?:attempt|inject|jailbreak|attack|pattern|phrase|exploit)/

/** How a phrase stands in its text. */
export type Use = 'said' | 'cited' | 'denied'

/**
 * Whether a phrase is said to the reader, cited as what others say (in quotation marks, or in a sentence that speaks of
 * attacks or examples), or denied ("never ...").
 */
export function useOf(text: string, words: Words, { first, end }: Omit<PhraseMatch<unknown>, 'entry'>): Use {
  const sentence = words.sentences[first]
  const isOf = (at: number): boolean => words.sentences[at] === sentence
  const form = (at: number): string => wordForm(words.written[at]!)
  const opensWithDenial = denying.has(form(first)) && !without.has(form(first))
  for (let at = first - 1; !opensWithDenial && at >= 0 && first - at <= reachOfDenial && isOf(at); at--) {
    if (denying.has(form(at)) && !clauseEnd.test(text.slice(words.starts[at], words.starts[first])))
      return 'denied'
  }
  const last = words.starts[end - 1]! + words.written[end - 1]!.length
  if (isQuoted(text, words.starts[first]!, last)) return 'cited'
  for (let at = first - 1; at >= 0 && first - at <= reachOfDescription && isOf(at); at--) {
    if (describing.test(form(at)) || announcing.has(form(at))) return 'cited'
  }
  for (let at = end; at < words.written.length && at - end < reachAfter && isOf(at); at++) {
    if (describingAfter.test(form(at))) return 'cited'
  }
  return 'said'
}
