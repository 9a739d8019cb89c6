import { z } from 'zod'
import type { Card } from '../../domain/card.ts'
import { describeOutput } from './search.ts'
import { callableCard, describedForms } from '../forms/described-forms.ts'
import { type Frame, fittedAnswer, type Left } from '../answers/fitted-answer.ts'
import { heldFields, heldSentence } from '../answers/card-fields.ts'
import { cardsNamed, type UnknownCard } from '../../compose/known-names.ts'
import type { JsonObject } from '../../domain/json.ts'
import { Mistake } from '../mistakes.ts'
import { oneLine, quoted, quotedList } from '../text.ts'
import { maxTokensField } from '../search-input.ts'
import { nameText } from '../schemas.ts'
import { defineTool, type ServedAnswer } from '../tool.ts'

/** Tokens an answer may cost when the caller sets none. */
const usualTokens = 6_000
/** Tokens of the structured content up to which cards hold more than a call needs: for three or fewer, and for each on top. */
const usual = { cards: 3, tokens: 960, each: 300 }
/** Unknown ids that are answered with those that are like them: each is compared with every id of the catalog. */
const helped = 3

/** Gives whole cards by id. */
export const describeCards = defineTool({
  name: 'describe',
  title: 'Describe agents or tools',
  description:
    'Get whole cards by id: input schemas; backbone, tools and runnable YAML of agents. Call it where inputs were cut ("…"), and before you run an agent.',
  effect: 'readOnly',
  loading: { hint: 'whole card, schema, agent YAML' },
  example: { ids: ['github/list_issues'] },
  input: z.strictObject({
    ids: z.array(nameText()).min(1).max(10).describe('As a search gave them.'),
    max_tokens: maxTokensField(String(usualTokens)),
  }),
  output: describeOutput,
  async handle(app, { ids, max_tokens: asked }) {
    const { cards, unknown } = await cardsNamed(app, ids, { helped })
    if (cards.length === 0) throw unknownIds(unknown)
    return cardsAnswer(cards, unknown, asked)
  },
})

/** Renders whole cards within a budget of tokens, or as much of them as serves. */
export async function cardsAnswer(
  cards: readonly Card[],
  unknown: readonly UnknownCard[],
  maxTokens: number | undefined,
): Promise<ServedAnswer> {
  const lean = usual.tokens + Math.max(0, cards.length - usual.cards) * usual.each
  return fittedAnswer({
    budget: maxTokens === undefined ? { most: usualTokens, lean } : { most: maxTokens },
    needed: callableCard,
    list: 'cards',
    entries: await Promise.all(cards.map(describedForms)),
    frames: [
      (left) => frame(cards, unknown, left),
      (left) => plainFrame(cards, unknown, left),
      (left) => barestFrame(unknown, left),
    ],
  })
}

function frame(cards: readonly Card[], unknown: readonly UnknownCard[], left: Left): Frame {
  const next = [
    unknown.length === 0 ? '' : unknown.map(unknownSentence).join(' '),
    left.shortened || left.cut ? 'Of what is in leftOut, the uri has all; or raise max_tokens.' : '',
    left.omitted === 0 ? '' : `${left.omitted} left out: raise max_tokens or ask for fewer ids.`,
  ]
    .filter((part) => part !== '')
    .join(' ')
  return {
    head: `${cards.length} ${cards.length === 1 ? 'card' : 'cards'}. Texts in quotes are the publishers' words.`,
    tail: next,
    before: {},
    after: {
      ...(unknown.length === 0 ? {} : { unknown: unknown.map(unknownFields) }),
      ...(left.omitted === 0 ? {} : { omitted: left.omitted }),
      ...(next === '' ? {} : { next }),
    },
  }
}

/** The frame when the budget has no room for the names of unknown ids. */
const plainFrame = (cards: readonly Card[], unknown: readonly UnknownCard[], left: Left): Frame => {
  const { head, tail, before, after } = frame(cards, [], left)
  return {
    head: unknown.length === 0 ? head : `${head} Unknown ids: ${unknown.length}.`,
    tail,
    before,
    after,
  }
}

/** The frame when the budget has hardly room for a card. */
function barestFrame(unknown: readonly UnknownCard[], { omitted, shortened, cut }: Left): Frame {
  const lost = [shortened || cut ? 'Shortened' : '', omitted === 0 ? '' : `${omitted} left out`].filter(
    Boolean,
  )
  const next = lost.length === 0 ? '' : `${lost.join(', ')}: raise max_tokens.`
  return {
    head: unknown.length === 0 ? '' : `Unknown ids: ${unknown.length}.`,
    tail: next,
    before: {},
    after: { ...(omitted === 0 ? {} : { omitted }), ...(next === '' ? {} : { next }) },
  }
}

const unknownFields = ({ id, closest, held }: UnknownCard): JsonObject => ({
  id: oneLine(id, 200),
  ...(held === undefined ? { closest } : heldFields(held)),
})

const unknownSentence = ({ id, closest, held, bringBack }: UnknownCard): string => {
  if (held !== undefined) return heldSentence(held)
  const like = closest.length === 0 ? [] : [`Closest: ${quotedList(closest, 3, 120)}.`]
  return [`No card has the id ${quoted(id)}.`, ...(bringBack === undefined ? like : [bringBack])].join(' ')
}

/** @throws Mistake for an id that no card in search has. @param then - how ids are found */
export function refuseUnknown(
  { id, closest, held, bringBack }: UnknownCard,
  what: string,
  then: string,
): never {
  if (held !== undefined) throw new Mistake(heldSentence(held))
  if (bringBack !== undefined) throw new Mistake(`No ${what} has the id ${quoted(id)}. ${bringBack}`)
  const hint = closest.length === 0 ? '' : ` Closest: ${quotedList(closest, 3)}.`
  throw new Mistake(`No ${what} has the id ${quoted(id)}.${hint} ${then}`)
}

const unknownIds = (unknown: readonly UnknownCard[]): Mistake => {
  const best = unknown.find(({ closest, held }) => held === undefined && closest.length > 0)?.closest[0]
  const example = best === undefined ? '' : ` Example: describe ${JSON.stringify({ ids: [best] })}.`
  return new Mistake(
    `${unknown.map(unknownSentence).join(' ')}${example} Call search_tools or search_agents to find ids.`,
  )
}
