import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../../domain/once.ts'
import { packageRoot } from '../../package-root.ts'
import { lightStem } from '../text/analyze.ts'
import { foldForm, spelledForm } from './fold-form.ts'
import { inflectedForms } from './inflected-forms.ts'
import { packedLists, packedPlaces, packedSet, type WordSet } from './packed-words.ts'
import { stemInExpression, stemOfForm } from './stem-of-form.ts'

/** Languages that are written in Latin letters, as English is. */
export const latinLanguages = ['de', 'fr', 'es', 'pt', 'it'] as const
export type Language = (typeof latinLanguages)[number] | 'zh' | 'ja' | 'ko' | 'ru' | 'ar'

/** Stands before the English of a small word, and alone where English says nothing for it. */
const small = '-'
/** Letters that a word and a form of the glossary must begin with alike, and those that both may have more. */
const sharedLetters = 4
const mostEnding = 4

/** Words of one language, and English for each: the likeliest first, one at most for a function word, undefined for an unknown one. */
export type Glossary = {
  /** @param spelled - with its accents, where they tell it from another: in Italian "e" is and, "è" is is */
  exactly(form: string, spelled?: string): readonly string[] | undefined
  /** Of a known form with the same stem. */
  byStem(word: string): readonly string[] | undefined
  /** Of a known expression whose words have the same stems, two of them no short ones. */
  byStems(words: readonly string[]): readonly string[] | undefined
  /** Of the known form that begins alike and differs least in the ending. */
  nearly(word: string): readonly string[] | undefined
  /** Articles, prepositions, pronouns, "please". */
  readonly functionWords: WordSet
  /** All English words in it. */
  readonly english: WordSet
  /** Words and letters of the longest form. */
  readonly mostWords: number
  readonly mostLetters: number
}

/** English, and the forms that say it. */
export type GlossaryLine = readonly [english: string, forms: readonly string[]]

const opened = new Map<Language, Glossary>()

/** Opens the glossary of a language; it stays open. */
export function glossaryOf(language: Language): Glossary {
  const known = opened.get(language)
  if (known !== undefined) return known
  const made = glossaryFrom(rowsOf(language).map(lineOf), {
    stemOf: (word) => stemOfForm(word, language),
    stemInExpression: (word) => stemInExpression(word, language),
    inflected: (form) => inflectedForms(form, language),
  })
  opened.set(language, made)
  return made
}

/** Small words, which begin the file: by them a language is told from another. */
export function functionWordsOf(language: Language): WordSet {
  const lines = rowsOf(language)
  const others = lines.findIndex((line) => !line.startsWith(small))
  return packedSet(lines.slice(0, others).flatMap((line) => lineOf(line)[1].map(foldForm)))
}

const formsByLanguage = new Map<Language, WordSet>()

/** All folded forms that a glossary knows. To tell languages apart no more is needed, and this is read in a fifth of the time. */
export function formsOf(language: Language): WordSet {
  const read = formsByLanguage.get(language)
  if (read !== undefined) return read
  const text = rowsOf(language)
    .map((row) => row.slice(row.indexOf('\t') + 1))
    .join('|')
  const forms = packedSet(
    spellings(text)
      .flatMap((one) => foldForm(one).split('|'))
      .map((form) => form.trim()),
  )
  formsByLanguage.set(language, forms)
  return forms
}

/** Words that English descriptions of tools and agents use, technical ones too. */
export const englishWords = once((): ReadonlySet<string> => new Set(linesOfFile('english.txt')))

const rowsOf = (language: Language): readonly string[] => linesOfFile(`${language}.tsv`)

/** Lines of a file beside the glossaries. */
export const linesOfFile = (name: string): readonly string[] =>
  readFileSync(join(packageRoot, 'embeddings', 'glossary', name), 'utf8')
    .trim()
    .split('\n')

function lineOf(row: string): GlossaryLine {
  const [english = '', forms = ''] = row.split('\t')
  return [english, forms.split('|')]
}

/** How the words of a language become others. */
type Inflection = {
  readonly stemOf: (word: string) => string
  readonly stemInExpression: (word: string) => string
  readonly inflected: (form: string) => readonly string[]
}
const asEnglish: Inflection = { stemOf: lightStem, stemInExpression: lightStem, inflected: () => [] }

/** @param lines - of two that have a form the first says the likelier */
export function glossaryFrom(
  lines: readonly GlossaryLine[],
  { stemOf, stemInExpression: stemWithin, inflected } = asEnglish,
): Glossary {
  const { table, accented, functionWords, ...most } = tableOf(lines, inflected)
  const formsWhere = (isWanted: (form: string) => boolean): readonly string[] =>
    Array.from({ length: table.size }, (_, place) => table.form(place)).filter(
      (form) => isWanted(form) && !functionWords.has(form),
    )
  // Most requests need neither.
  const words = () => formsWhere((form) => !form.includes(' '))
  const sorted = once(() => {
    const long = words().filter((form) => form.length >= sharedLetters)
    return Uint32Array.from(long.toSorted(), table.placeOf)
  })
  // Of forms with one stem the first, which is the likeliest.
  const stems = once(() => packedPlaces(words().map((form) => [stemOf(form), table.placeOf(form)])))
  const stemsOf = (form: readonly string[]): string => form.map(stemWithin).join(' ')
  const expressions = once(() =>
    packedPlaces(
      formsWhere((form) => form.includes(' ')).map((form) => [stemsOf(form.split(' ')), table.placeOf(form)]),
    ),
  )
  const listAt = (place: number) => (place < 0 ? undefined : table.list(place))
  return {
    exactly(form, spelled = form) {
      const place = accented.placeOf(spelled)
      return place < 0 ? listAt(table.placeOf(form)) : accented.list(place)
    },
    byStem: (word) => listAt(stems()(stemOf(word))),
    byStems: (words) =>
      words.filter((word) => word.length >= sharedLetters).length < 2
        ? undefined
        : listAt(expressions()(stemsOf(words))),
    nearly: (word) => listAt(nearestForm(word, sorted(), table.form)),
    functionWords,
    english: packedSet(lines.flatMap(([english]) => english.replace(/^-/, '').split(' '))),
    ...most,
  }
}

type Senses = Map<string, readonly string[]>

/** English by form, and by the spelling with accents where another says something else. */
function tableOf(lines: readonly GlossaryLine[], inflected: Inflection['inflected']) {
  const spelled: Senses = new Map()
  const smallWords: Senses = new Map()
  for (const [english, forms] of lines) {
    for (const form of new Set(forms.flatMap(spellings))) {
      if (english.startsWith(small)) smallWords.set(form, english === small ? [] : [english.slice(1)])
      else spelled.set(form, [...(spelled.get(form) ?? []), english])
    }
  }
  const made: Senses = new Map()
  for (const [form, english] of spelled)
    for (const other of inflected(form))
      if (!spelled.has(other)) made.set(other, [...new Set([...(made.get(other) ?? []), ...english])])
  for (const [form, english] of [...made, ...smallWords]) spelled.set(form, english)
  const table: Senses = new Map()
  const folded = Array.from(spelled, ([form, english]) => ({ form, english, plain: foldForm(form) }))
  for (const { form, english, plain } of folded) {
    if (plain === form) table.set(form, english)
    else if (!spelled.has(plain)) table.set(plain, [...new Set([...(table.get(plain) ?? []), ...english])])
  }
  const accented = new Map(
    folded.flatMap(({ form, english, plain }) =>
      plain === form || table.get(plain)!.join() === english.join() ? [] : [[form, english] as const],
    ),
  )
  const forms = [...table.keys()]
  return {
    table: packedLists(table),
    accented: packedLists(accented),
    functionWords: packedSet([...smallWords.keys()].map(foldForm)),
    mostWords: forms.reduce((most, form) => Math.max(most, form.split(' ').length), 1),
    mostLetters: forms.reduce((most, form) => Math.max(most, form.length), 1),
  }
}

/** A form as it is looked up; German umlauts are written in two ways. */
function spellings(form: string): readonly string[] {
  const twoLetters: { readonly [letter: string]: string } = { ä: 'ae', ö: 'oe', ü: 'ue' }
  const umlauts = form.replace(/[äöü]/gu, (letter) => twoLetters[letter]!)
  return umlauts === form ? [spelledForm(form)] : [spelledForm(form), spelledForm(umlauts)]
}

/** @param sorted - places of forms, in their order; -1 comes of a word that is near none */
function nearestForm(word: string, sorted: Uint32Array, formAt: (place: number) => string): number {
  let best = -1
  let least = mostEnding + 1
  for (let shared = word.length; shared >= sharedLetters && word.length - shared < least; shared--) {
    const beginning = word.slice(0, shared)
    for (let at = firstFrom(sorted, beginning, formAt); at < sorted.length; at++) {
      const form = formAt(sorted[at]!)
      if (!form.startsWith(beginning)) break
      const more = word.length - shared + form.length - shared
      if (more < least && more * 2 <= shared) {
        best = sorted[at]!
        least = more
      }
    }
  }
  return best
}

/** The first that does not stand before this text. */
function firstFrom(sorted: Uint32Array, text: string, formAt: (place: number) => string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (formAt(sorted[middle]!) < text) low = middle + 1
    else high = middle
  }
  return low
}
