import type { AgentCard } from '../../domain/card.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Reached } from '../asking/reached.ts'
import { cardUri } from '../answers/uris.ts'
import type { Forms, Piece } from '../answers/fitted-answer.ts'
import {
  deliveredCard,
  flagFields,
  flagLine,
  howToRun,
  howToRunLine,
  listFields,
  nameFields,
  reachLine,
} from '../answers/card-fields.ts'
import { clipWords, oneLine, quoted } from '../text.ts'
import type { Detail } from '../search-input.ts'
import { rounded, whyField, whyInBrief, whyLine, whyWhole } from '../answers/why.ts'
import { defined } from '../../domain/defined.ts'

/** A found agent. */
export type FoundAgent = Omit<Reached, 'card'> & { readonly card: AgentCard }

/** The place in {@link agentForms} of the form that has all that is needed to choose and to run one. */
export const choosableAgent = 1

/** The ways to show a found agent, poorest first, up to the detail asked for. */
export function agentForms(candidate: FoundAgent, rank: number, detail: Detail): Forms {
  const found = { ...candidate, card: deliveredCard(candidate.card) }
  const bare = () => piece(found, rank, { description: 60 })
  if (detail === 'brief') return [bare, () => piece(found, rank, { description: 160 })]
  const withTools = (tools: number, description: number) => () => piece(found, rank, { description, tools })
  const standard: Forms = [bare, withTools(4, 120), withTools(4, 200), withTools(8, 240)]
  if (detail === 'standard') return standard
  return [
    ...standard,
    withTools(32, 500),
    () => piece(found, rank, { description: 1_000, tools: 64, all: true }),
  ]
}

type Richness = {
  /** Characters of the description, at most. */
  readonly description: number
  /** Names of tools, at most; without it, nothing of how the agent is made. */
  readonly tools?: number
  /** With everything that `detail: "full"` promises. */
  readonly all?: true
}

function piece(
  { card, score, signals, reach }: FoundAgent,
  rank: number,
  { tools, all, ...rest }: Richness,
): Piece {
  const description = clipWords(card.description, rest.description)
  const made = tools === undefined ? {} : makeup(card, tools)
  const reasons = all
    ? whyWhole(signals)
    : tools === undefined
      ? whyInBrief(signals)
      : whyField(signals, `${card.id} ${description} ${JSON.stringify(made)}`)
  const structured = {
    id: card.id,
    ...reach,
    ...nameFields(card),
    ...flagFields(card),
    kind: card.agentKind,
    description,
    ...made,
    ...(all ? moreFields(card) : {}),
    score: rounded(score, 2),
    ...(Object.keys(reasons).length === 0 ? {} : { why: reasons }),
  }
  const use = tools === undefined ? '' : `; ${howToRunLine(card)}`
  const because = whyLine(reasons)
  const head = `${rank}. ${quoted(card.id, 400)} (${card.agentKind})${reachLine(reach)}${flagLine(card)}`
  return {
    structured,
    line: `${head}: ${quoted(description, 100)}${use}${because === '' ? '' : `; ${because}`}`,
  }
}

/** Backbone, tools and the way to run it: what an orchestrator needs to decide. */
function makeup(card: AgentCard, most: number): JsonObject {
  const names = card.tools.slice(0, most).map(({ name }) => oneLine(name, 64))
  return {
    ...(card.backbone === null ? {} : { backbone: oneLine(card.backbone.name, 80) }),
    ...(names.length === 0 ? {} : { tools: names }),
    ...(names.length === card.tools.length ? {} : { toolCount: card.tools.length }),
    use: howToRunLine(card),
  }
}

function moreFields(card: AgentCard): JsonObject {
  return {
    ...defined({ title: card.title && oneLine(card.title, 200) }),
    run: howToRun(card),
    yaml: cardUri('agent', card.id),
    ...listFields(card),
    ...defined({ instructions: card.instructions && oneLine(card.instructions, 2_000) }),
  }
}
