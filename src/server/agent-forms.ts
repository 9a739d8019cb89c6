import type { AgentCard } from '../domain/agent-card.ts'
import type { JsonObject } from '../domain/json.ts'
import type { ScoredCard } from '../retrieval/answer.ts'
import { cardUri } from './card-uri.ts'
import type { Forms, Piece } from './fit-entries.ts'
import { flagFields, flagLine } from './flag-fields.ts'
import { howToRun, howToRunLine } from './how-to-run.ts'
import { oneLine, quoted, quotedList } from './quoted-text.ts'
import type { Detail } from './search-input.ts'
import { rounded, why, whyInBrief, whyLine } from './why.ts'

/** A found agent. */
export type FoundAgent = Omit<ScoredCard, 'card'> & { readonly card: AgentCard }

/** The ways to show a found agent, poorest first, up to the detail asked for. */
export function agentForms(found: FoundAgent, rank: number, detail: Detail): Forms {
  const bare = () => piece(found, rank, { description: 60, explained: false })
  const brief = () => piece(found, rank, { description: 160, explained: true })
  if (detail === 'brief') return [bare, brief]
  const withTools = (tools: number, description: number) => () =>
    piece(found, rank, { description, explained: true, tools })
  const standard: Forms = [bare, withTools(4, 120), withTools(8, 160), withTools(16, 240)]
  if (detail === 'standard') return standard
  return [
    ...standard,
    withTools(32, 500),
    () => piece(found, rank, { description: 1_000, explained: true, tools: 64, all: true }),
  ]
}

type Richness = {
  /** Characters of the description, at most. */
  readonly description: number
  readonly explained: boolean
  /** Names of tools, at most; without it, nothing of how the agent is made. */
  readonly tools?: number
  /** With everything that `detail: "full"` promises. */
  readonly all?: true
}

function piece({ card, score, signals }: FoundAgent, rank: number, richness: Richness): Piece {
  const { explained, tools } = richness
  const description = oneLine(card.description, richness.description)
  const structured = {
    id: card.id,
    name: oneLine(card.title ?? card.name, 200),
    ...flagFields(card),
    kind: card.agentKind,
    description,
    ...(tools === undefined ? {} : makeup(card, tools)),
    ...(richness.all === true ? moreFields(card) : {}),
    score: rounded(score, 3),
    why: explained ? why(signals) : whyInBrief(signals),
  }
  const built = tools === undefined ? '' : `; ${makeupLine(card)}`
  const reasons = explained ? whyLine(signals) : ''
  const because = reasons === '' ? '' : `; ${reasons}`
  const head = `${rank}. ${quoted(card.id, 400)} (${card.agentKind})${flagLine(card)}`
  return { structured, line: `${head}: ${quoted(description, 100)}${built}${because}` }
}

/** Backbone, tools and the way to run it: what an orchestrator needs to decide. */
function makeup(card: AgentCard, most: number): JsonObject {
  return {
    backbone: card.backbone === null ? null : oneLine(card.backbone.name, 80),
    tools: card.tools.slice(0, most).map(({ name }) => oneLine(name, 64)),
    toolCount: card.tools.length,
    run: howToRun(card.runtime),
    yaml: cardUri('agent', card.id),
  }
}

function makeupLine(card: AgentCard): string {
  const parts = [
    ...(card.backbone === null ? [] : [`on ${quoted(card.backbone.name, 60)}`]),
    ...(card.tools.length === 0
      ? []
      : [
          `tools ${quotedList(
            card.tools.map(({ name }) => name),
            3,
            40,
          )}`,
        ]),
    howToRunLine(card),
  ]
  return parts.join('; ')
}

function moreFields(card: AgentCard): JsonObject {
  return {
    ...(card.tags.length === 0 ? {} : { tags: card.tags.slice(0, 20).map((tag) => oneLine(tag, 40)) }),
    ...(card.examples.length === 0
      ? {}
      : { examples: card.examples.slice(0, 5).map((one) => oneLine(one, 200)) }),
    ...(card.instructions === undefined ? {} : { instructions: oneLine(card.instructions, 2_000) }),
  }
}
