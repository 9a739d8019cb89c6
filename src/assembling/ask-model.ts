import type { ToolCard } from '../domain/card.ts'
import { RemedyError, withRemedy } from '../domain/remedy-error.ts'
import type { BackboneEvidence } from './backbones.ts'
import type { ProfileCandidate } from './candidates.ts'
import type { Composition } from './composition.ts'
import type { ComposingParts } from './ports.ts'
import type { ToolEvidence } from './tool-evidence.ts'

/** Combinations that a model is asked for. */
const mostCombinations = 10
/** What a model may take to combine; tools are composed without one that takes longer. */
const askMs = 60_000
/** A model that read the shortlists says as much of a tool's need as the searches do. */
const askedShare = 0.5

/** What a composition has when a model was asked for combinations, and when none was. */
export type Asked = {
  readonly tools: readonly ToolEvidence[]
  readonly given: readonly ProfileCandidate[]
  readonly answer?: NonNullable<Composition['asked']>
  /** Why the model could not be asked, a sentence. */
  readonly failure?: string
}

/** What the model combines becomes a candidate, and the tools that it takes are the surer to be needed, its first combinations most. */
export async function askModel(
  {
    task,
    facets,
    tools,
    backbones,
  }: {
    readonly task: string
    readonly facets: readonly string[]
    readonly tools: readonly ToolEvidence[]
    readonly backbones: readonly BackboneEvidence[]
  },
  { shortlister }: ComposingParts,
  signal?: AbortSignal,
): Promise<Asked> {
  if (shortlister === null || tools.length === 0) return { tools, given: [] }
  const cards: readonly ToolCard[] = tools.map(({ card }) => card)
  const shown = {
    task,
    facets,
    tools: cards,
    backbones: backbones.map(({ backbone }) => backbone),
    count: mostCombinations,
  }
  const deadline = AbortSignal.timeout(askMs)
  const until = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
  const combined = await shortlister.combine(shown, until).catch((error: unknown) => {
    signal?.throwIfAborted()
    if (deadline.aborted)
      return `Composed without ${shortlister.model}: it gave no answer within ${askMs / 1000} s.`
    if (!RemedyError.isInstance(error)) throw error
    return `Composed without ${shortlister.model}: ${withRemedy(error.message, error.remedy)}`
  })
  if (typeof combined === 'string') return { tools, given: [], failure: combined }
  const { combinations, dropped } = combined
  const answer = { model: shortlister.model, dropped }
  if (combinations.length === 0) return { tools, given: [], answer }
  const weights = combinations.map((_, rank) => 1 / (rank + 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const weighed = tools.map((tool, place): ToolEvidence => {
    const share =
      combinations.reduce((sum, one, rank) => sum + (one.tools.includes(place) ? weights[rank]! : 0), 0) /
      total
    return { ...tool, need: (1 - askedShare) * tool.need + askedShare * share }
  })
  return {
    tools: weighed,
    given: combinations.map((one) => ({ ...one, backbone: one.backbone ?? 0 })),
    answer,
  }
}
