import type { Card } from '../domain/card.ts'
import type { ScoredCard, SearchAnswer, Signals } from '../retrieval/answer.ts'
import { agentForms, type FoundAgent } from './agent-forms.ts'
import { bytesOf } from './fit-entries.ts'
import { answerBytes } from './fitted-answer.ts'
import { once } from './once.ts'
import { detailFor } from './search-answer.ts'
import { type Detail, usualTokens } from './search-input.ts'
import { jsonBytes, jsonTextBytes, tokensOf } from './token-estimate.ts'
import { type FoundTool, toolForms } from './tool-forms.ts'
import { agentsAnswer } from './tools/search-agents.ts'
import { toolsAnswer } from './tools/search-tools.ts'
import { why, whyLine } from './why.ts'

/**
 * Estimated tokens of what a host gets of an answer when it asks for no detail and sets no budget. Each card is weighed
 * once, so that many thousand answers over the same cards cost little; the estimate is mostly within 2 % of the
 * answer that {@link toolsAnswer} or {@link agentsAnswer} would give.
 */
export function answerTokens(found: SearchAnswer): number {
  const detail = detailFor(found, 'standard')
  const steps = found.facets.length > 1 ? found.facets : []
  const frame = frameBytes[found.kind]() + 2 * jsonTextBytes(found.note) + 2 * jsonBytes(steps)
  const entries = found.candidates.reduce((sum, candidate) => sum + entryBytes(candidate, detail), 0)
  return Math.min(usualTokens[detail], tokensOf(frame + entries))
}

const noSignals: Signals = { coverage: 0, matched: [], facets: [], duplicates: [] }

const entryBytes = ({ card, signals }: ScoredCard, detail: Detail): number =>
  cardBytes(card, detail) + jsonBytes(why(signals)) - emptyWhy() + jsonTextBytes(whyLine(signals))

const emptyWhy = once(() => jsonBytes(why(noSignals)))

const weighed = { brief: new WeakMap<Card, number>(), standard: new WeakMap<Card, number>() }

/** Bytes that a card adds to an answer in its richest form, without the reasons that vary from query to query. */
function cardBytes(card: Card, detail: Detail): number {
  const known = weighed[detail === 'brief' ? 'brief' : 'standard']
  const bytes = known.get(card) ?? bytesOf(richest(card, detail))
  known.set(card, bytes)
  return bytes
}

function richest(card: Card, detail: Detail) {
  const rest = { score: 0.123, signals: noSignals }
  const forms =
    card.kind === 'tool'
      ? toolForms({ card, ...rest } satisfies FoundTool, 1, detail)
      : agentForms({ card, ...rest } satisfies FoundAgent, 1, detail)
  return forms.at(-1)!()
}

const emptyAnswer = { candidates: [], match: 'good', note: '', facets: [], searched: 1000 } as const
const unnamed = { ranker: 'lexical', generation: 1 } as const

/** Bytes of an answer without candidates, note and steps. */
const frameBytes = {
  tool: once(() =>
    answerBytes(toolsAnswer({ kind: 'tool', ...emptyAnswer, ...unnamed }, 'standard', usualTokens.standard)),
  ),
  agent: once(() =>
    answerBytes(
      agentsAnswer({ kind: 'agent', ...emptyAnswer, ...unnamed }, 'standard', usualTokens.standard),
    ),
  ),
}
