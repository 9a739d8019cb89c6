import { neverVerbs, nounStarts, plainObjectStarts } from '../../src/retrieval/query/steps/clause-words.ts'
import type { TrainingCorpus } from '../../embeddings/trainer/src/data/corpus.ts'

/** Verbs with which a request begins: those that are hardly ever nouns, and those that often are. Alphabetical. */
type CountedVerbs = { readonly sure: readonly string[]; readonly nounLike: readonly string[] }

/** How a word is used, in numbers of places. */
type Uses = {
  /** Before an object, at the head of a sentence or after a word such as "please". */
  withObject: number
  /** After "to", "please", "you" or "then". */
  asked: number
  /** First of a tool's name of several words. */
  names: number
  /** In the third person at the head of a description: "Returns the". */
  described: number
  /** After an article or another word that stands before nouns, or last of a tool's name. */
  asNoun: number
  readonly corpora: Set<string>
}

/** A word after one of these may be a verb with its object. */
const leads = new Set(
  "to please then also and or you i we they can could should will would must let's lets not don't never me us help plus".split(
    ' ',
  ),
)
const askedAfter = new Set(['to', 'please', 'you', 'then'])
/** Queries of one corpus, and characters of a description, so that no collection decides alone. */
const mostQueries = 4000
const mostCharacters = 600
/** Cards of one corpus that speak with one voice. */
const cardsPerVoice = 2000
const leastVoices = 4
const leastWithObject = 6

/**
 * Counts which words begin a request or a tool's name and take an object. A verb is a word that does so in several corpora, has a form
 * in -ing, and is not mostly a noun.
 */
export function countVerbs(corpora: readonly TrainingCorpus[]): CountedVerbs {
  const words = new Map<string, Uses>()
  const described: { readonly word: string; readonly voice: string }[] = []
  for (const { name, cards, queries } of corpora) {
    for (const [place, card] of cards.entries()) {
      const voice = `${name} ${Math.floor(place / cardsPerVoice)}`
      countName(words, card.name, voice)
      const description = card.description.slice(0, mostCharacters)
      countText(words, description, voice)
      for (const sentence of sentencesOf(description))
        if (sentence[0]) described.push({ word: sentence[0], voice })
    }
    for (const { text } of queries.slice(0, mostQueries)) countText(words, text, `${name} 0`)
  }
  for (const { word, voice } of described) {
    const uses = thirdPersonEndings
      .filter(([ending]) => word.endsWith(ending))
      .map(([ending, rest]) => words.get(word.slice(0, -ending.length) + rest))
      .find((found) => found !== undefined && found.withObject + found.names + found.asked > 0)
    if (uses === undefined) continue
    uses.described++
    uses.corpora.add(voice)
  }
  const verbs = [...words].filter(([word, uses]) => isVerb(word, uses, words))
  const named = (wanted: boolean) =>
    verbs
      .filter(([, uses]) => uses.asNoun <= 0.15 * asVerb(uses) === wanted)
      .map(([word]) => word)
      .sort()
  return { sure: named(true), nounLike: named(false) }
}

const thirdPersonEndings = [
  ['ies', 'y'],
  ['es', ''],
  ['s', ''],
] as const

const asVerb = ({ withObject, asked, names, described }: Uses): number =>
  withObject + asked + names + described

function isVerb(word: string, uses: Uses, words: ReadonlyMap<string, Uses>): boolean {
  const { withObject, asked, names, described, asNoun, corpora } = uses
  if (!/^[a-z]{2,}$/.test(word) || neverVerbs.has(word) || /(?:ed|ing)$/.test(word)) return false
  if (/[^s]s$/.test(word) && words.has(word.slice(0, -1))) return false
  const ing = [`${word}ing`, `${word.replace(/e$/, '')}ing`, `${word}${word.at(-1)}ing`]
  return (
    corpora.size >= leastVoices &&
    (asked > 0 || names > 1) &&
    (withObject >= leastWithObject || (withObject > 0 && described + names > 0)) &&
    asVerb(uses) >= 0.6 * asNoun &&
    ing.some((form) => words.has(form))
  )
}

const sentencesOf = (text: string): readonly (readonly string[])[] =>
  text
    .toLowerCase()
    .split(/[.!?;:\n]+\s*/)
    .map((sentence) => sentence.match(/[a-z][a-z'’-]*|,|\d+/g) ?? [])

function usesOf(words: Map<string, Uses>, word: string): Uses {
  const known = words.get(word)
  if (known !== undefined) return known
  const fresh = { withObject: 0, asked: 0, names: 0, described: 0, asNoun: 0, corpora: new Set<string>() }
  words.set(word, fresh)
  return fresh
}

function countName(words: Map<string, Uses>, name: string, voice: string): void {
  const parts =
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  if (parts.length < 2) return
  const first = usesOf(words, parts[0]!)
  first.names++
  first.corpora.add(voice)
  usesOf(words, parts.at(-1)!).asNoun++
}

function countText(words: Map<string, Uses>, text: string, voice: string): void {
  for (const sentence of sentencesOf(text)) {
    for (const [place, word] of sentence.entries()) {
      const before = sentence[place - 1]
      const uses = usesOf(words, word)
      const isFree = before === undefined || before === ',' || leads.has(before)
      if (isFree && plainObjectStarts.has(sentence[place + 1] ?? '')) {
        uses.withObject++
        uses.corpora.add(voice)
      }
      if (before === undefined) continue
      if (nounStarts.has(before)) uses.asNoun++
      if (askedAfter.has(before)) uses.asked++
    }
  }
}
