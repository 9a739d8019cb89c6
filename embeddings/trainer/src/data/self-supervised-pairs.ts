import type { AgentCard, Card } from '../../../../src/domain/card.ts'
import { embeddingText, textsOf } from '../../../../src/retrieval/text/card-texts.ts'
import { normalisedText } from './query-text.ts'

/** Which part of a card asks for which other part. */
type PairKind = 'sentence' | 'name' | 'fields' | 'example' | 'prompt' | 'tools' | 'tool'

/** Two texts of one card that belong together. Neither is empty, and they are not the same. */
type CardPair = {
  readonly kind: PairKind
  readonly cardId: string
  /** In the place of a query. */
  readonly anchor: string
  /** In the place of a card. */
  readonly positive: string
}

/** Sentences of one description that ask for the rest of the card: the first, and the longest of the others. */
const mostSentences = 2
const mostExamples = 3
/** Tools of an agent that ask for it one by one. */
const mostTools = 3
/** An anchor that so many cards share already (a tool called "search") says nothing of one more. */
const mostPerAnchor = 4
/** Words of an anchor; fewer name nothing. Two characters of a script without spaces count as one. */
const fewestWords = { sentence: 3, name: 1, fields: 2, example: 3, prompt: 3, tools: 3, tool: 4 } as const

/**
 * Pairs of texts that cards give by themselves: a sentence of the description and the card without it; the name as
 * words and the description; parameters and further documentation, or an example request, and name with description; an
 * agent's description and its system prompt; an agent's tools, all or one, and its description. Deterministic, in the order of the
 * cards; the same two texts make one pair, and one anchor at most four.
 *
 * @param developmentTexts - normalised texts that are no anchor: a card may happen to say what a development set asks
 */
export function selfSupervisedPairs(
  cards: readonly Card[],
  developmentTexts: ReadonlySet<string> = new Set(),
): readonly CardPair[] {
  const pairs = new Set<string>()
  const anchors = new Map<string, number>()
  return cards.flatMap((card) =>
    pairsOf(card).filter(({ kind, anchor, positive }) => {
      if (wordsIn(anchor) < fewestWords[kind] || !/[\p{L}\p{N}]/u.test(positive)) return false
      const asked = normalisedText(anchor)
      if (asked === '' || developmentTexts.has(asked) || saysTheSame(positive, asked)) return false
      const uses = anchors.get(asked) ?? 0
      const pair = `${asked}\n${positive}`
      if (uses >= mostPerAnchor || pairs.has(pair)) return false
      anchors.set(asked, uses + 1)
      pairs.add(pair)
      return true
    }),
  )
}

/** Whether a text is the same as a normalised one. Of a much longer text only the start is looked at. */
const saysTheSame = (text: string, normalised: string): boolean =>
  normalisedText(text.slice(0, 4 * normalised.length + 64)).length <= normalised.length + 4 &&
  normalisedText(text) === normalised

function pairsOf(card: Card): readonly CardPair[] {
  const { parameters, body, description } = textsOf(card)
  const named = joined(card.name, description)
  const pair = (kind: PairKind, anchor: string, positive: string): CardPair => ({
    kind,
    cardId: card.id,
    anchor: anchor.trim(),
    positive: positive.trim(),
  })
  return [
    ...askingSentences(description).map((sentence) =>
      pair('sentence', sentence, embeddingText({ ...card, description: without(description, sentence) })),
    ),
    pair('name', splitName(card.title ?? card.name), description),
    ...(card.kind === 'tool' ? [pair('fields', joined(parameters, body), named)] : agentPairs(card, pair)),
    ...card.examples.slice(0, mostExamples).map((example) => pair('example', example, named)),
  ]
}

function agentPairs(
  card: AgentCard,
  pair: (kind: PairKind, anchor: string, positive: string) => CardPair,
): readonly CardPair[] {
  const { body, description } = textsOf(card)
  const named = joined(card.name, description)
  const described = card.tools.flatMap(({ description: said = '' }) => (said === '' ? [] : said))
  // Bare names are mostly the host's own (Read, Bash), which many agents share and none is found by.
  const tools =
    described.length === 0
      ? []
      : card.tools.map((tool) => joined(splitName(tool.name), tool.description ?? ''))
  return [
    pair('prompt', description, without(body, description)),
    pair('tools', tools.join('\n'), named),
    ...described.slice(0, mostTools).map((said) => pair('tool', said, named)),
  ]
}

/** Ends of sentences: marks before a blank, full-width marks, line breaks. */
const sentenceEnd = /(?<=[.!?])\s+(?=\S)|(?<=[。！？])|\n+/u

function askingSentences(description: string): readonly string[] {
  const sentences = description
    .split(sentenceEnd)
    .map((sentence) => sentence.trim())
    .filter((sentence) => wordsIn(sentence) >= fewestWords.sentence)
  const [first, ...others] = [...new Set(sentences)]
  const longest = others.sort((one, other) => other.length - one.length).slice(0, mostSentences - 1)
  return first === undefined ? [] : [first, ...longest]
}

const without = (text: string, part: string): string =>
  part === '' ? text : text.split(part).join(' ').replace(/ {2,}/g, ' ').trim()

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n')

const wordsIn = (text: string): number => {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const spaceless = text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/gu) ?? []
  return words.length + Math.floor(spaceless.length / 2)
}

/** A name as words: `getUserById`, `get_user_by_id` and `get-user/by.id` as `get user by id`. Case of acronyms is kept. */
const splitName = (name: string): string =>
  name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
