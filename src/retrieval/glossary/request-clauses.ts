import { wordSet } from '../../domain/text/word-rules.ts'
import { nounLikeVerbs, sureVerbs } from '../query/steps/clause-words.ts'
import type { Glossary, Language } from './glossary.ts'
import { sensesOfWord } from './senses-of-word.ts'

/** A word of a request, and where it stands. */
type Placed = {
  readonly start: number
  readonly end: number
  readonly form: string
  readonly isCode: boolean
}

/** Words that join what is asked for to what was asked for before, folded. */
const joiners: { readonly [language in Language]?: ReadonlySet<string> } = {
  de: wordSet('und dann danach anschliessend sowie ausserdem zuletzt schliesslich bitte'),
  fr: wordSet('et puis ensuite enfin'),
  es: wordSet('y luego despues entonces tambien'),
  pt: wordSet('e depois entao tambem'),
  it: wordSet('e poi quindi infine'),
}

type By = { readonly language: Language; readonly glossary: Glossary }

/**
 * Where clauses begin that ask for something more, by the grammar of the request's own language: its English, word by word, has lost it. After
 * a comma or a joining word stands a verb with its object; in German, which writes nouns large, a small word that means a verb is one, and
 * infinitives end their clauses.
 *
 * @returns places among the words, ascending
 */
export function clausePlaces(text: string, words: readonly Placed[], by: By): readonly number[] {
  const joining = joiners[by.language]
  if (joining === undefined) return []
  const starts: number[] = []
  for (let place = 1; place < words.length; place++) {
    const isComma = between(text, words, place).includes(',')
    let verb = place
    while (joining.has(words[verb]?.form ?? '')) verb++
    if (verb === place && !isComma) continue
    const opens =
      by.language === 'de'
        ? opensGerman({ text, words }, verb, by) || followsInfinitive({ text, words }, { place, verb }, by)
        : opensRomance({ text, words }, verb, { ...by, isJoined: verb > place })
    if (opens) starts.push(place)
    place = Math.max(place, verb - 1)
  }
  return starts
}

type Request = { readonly text: string; readonly words: readonly Placed[] }

const between = (text: string, words: readonly Placed[], place: number): string =>
  text.slice(words[place - 1]?.end ?? 0, words[place]?.start)

const isSmall = ({ text, words }: Request, place: number): boolean =>
  /^\p{Ll}/u.test(text.slice(words[place]?.start, words[place]?.end))

/** "erstelle ein", "buche 2", "sage mir": an adjective would stand before a noun. */
function opensGerman(request: Request, place: number, by: By): boolean {
  const { words } = request
  const { glossary } = by
  const [word, next] = [words[place], words[place + 1]]
  if (word === undefined || next === undefined || word.isCode || !isSmall(request, place)) return false
  const { form } = word
  if (glossary.functionWords.has(form) || !/(?:e|b|h|m|s)$/.test(form)) return false
  if (/iere$/.test(form) || (/e$/.test(form) && glossary.functionWords.has(next.form))) return true
  return (
    meansVerb(word, by) &&
    (isSmall(request, place + 1) || next.isCode || glossary.exactly(form) !== undefined)
  )
}

/** "den Bericht lesen und an Anna senden": both clauses end in an infinitive. */
function followsInfinitive(
  request: Request,
  { place, verb }: { readonly place: number; readonly verb: number },
  by: By,
): boolean {
  const { text, words } = request
  if (!isInfinitive(request, place - 1, by)) return false
  for (let last = verb + 1; last < words.length; last++) {
    if (isInfinitive(request, last, by)) return true
    if (/[,;.!?\n]/.test(between(text, words, last + 1))) return false
  }
  return false
}

const isInfinitive = (request: Request, place: number, by: By): boolean =>
  isSmall(request, place) &&
  /n$/.test(request.words[place]!.form) &&
  (/ieren$/.test(request.words[place]!.form) || meansVerb(request.words[place]!, by))

function opensRomance(
  { text, words }: Request,
  place: number,
  { isJoined, ...by }: By & { readonly isJoined: boolean },
): boolean {
  const next = words[place + 1]
  if (next === undefined || words[place]!.isCode) return false
  const [sense = ''] = sensesOfWord(words[place]!.form, by.glossary, by.language) ?? []
  const [verb = ''] = sense.split(' ')
  const hasObject =
    next.isCode || by.glossary.functionWords.has(next.form) || /^\d/.test(text.slice(next.start))
  return hasObject ? sureVerbs.has(verb) || nounLikeVerbs.has(verb) : isJoined && sureVerbs.has(verb)
}

const meansVerb = ({ form, isCode }: Placed, { glossary, language }: By): boolean =>
  !isCode &&
  !glossary.functionWords.has(form) &&
  (sensesOfWord(form, glossary, language) ?? []).some((sense) => {
    const [verb = ''] = sense.split(' ')
    return sureVerbs.has(verb) || nounLikeVerbs.has(verb)
  })
