import type { ToolCard } from '../domain/card.ts'
import type { ServerForHost } from '../catalog/server-block.ts'
import { countOf } from '../domain/text/count-of.ts'
import { RemedyError, withRemedy } from '../domain/remedy-error.ts'
import { maxFacets, splitRequest } from '../retrieval/query/facets.ts'
import { type BackboneEvidence, backboneFactors, backbonesFor } from './backbones.ts'
import {
  bestOf,
  type ProfileCandidate,
  candidatesOf,
  ordered,
  type Scorer,
  servedStep,
  toolsetScore,
} from './candidates.ts'
import {
  type ComposedProfile,
  type ComposeOptions,
  type Composition,
  composedName,
  composedYaml,
} from './composition.ts'
import type { ComposingParts } from './ports.ts'
import {
  evidenceOf,
  isNamed,
  type StepService,
  stepServices,
  type ToolEvidence,
  findTools,
} from './tool-evidence.ts'

/** Agents that are looked at for their backbones. */
const agentDepth = 30
/** Profiles that are wanted of a composition, at most. */
const mostProfiles = 10
/** Combinations that a model is asked for. */
const mostCombinations = 10
/** What a model may take to combine; tools are composed without one that takes longer. */
const askMs = 60_000
/** A model that read the shortlists says as much of a tool's need as the searches do. */
const askedShare = 0.5

/**
 * Puts agents together for a task: finds tools for each of its steps among the servers of the user, makes sets of them, and scores these
 * (see `toolsetScore`) with the backbones that can be called.
 *
 * A model that cannot be asked is done without, and told. Where no step is served, nothing is composed.
 *
 * @throws RemedyError for an empty task; NoIndexError
 * @see AgentSelect, ICML 2026, online composition
 */
export async function composeAgents(
  task: string,
  { k = mostProfiles, signal }: ComposeOptions,
  parts: ComposingParts,
): Promise<Composition> {
  if (task.trim() === '')
    throw new RemedyError('The task is empty.', 'Say in plain words what is to be done.')
  const found = await findTools(task, parts, signal)
  const servers = boundServers(parts)
  const evidence = evidenceOf(found, servers.isBound)
  const { backbones, unreached } = await findBackbones(task, parts, signal)
  const { facets } = found
  const services = stepServices(found, evidence)
  // Scores of rankers that were not trained are no probabilities: a low one does not say that nothing serves.
  const isUnsure = !['learned', 'reader'].includes(found.whole.ranker) && evidence.length > 0
  const isServed = isUnsure || services.some(({ match }) => match !== 'none')
  const asked = await askModel({ task, facets, tools: isServed ? evidence : [], backbones }, parts, signal)
  const tools = asked.tools
  const likelihood = services.reduce((sum, { best }) => sum + best, 0) / services.length
  const score = scorerOf(tools, backbones, likelihood)
  const english = found.whole.readAs ?? task
  const isAgent = (one: ProfileCandidate): boolean =>
    isServed && (backbones.length > 0 || one.tools.length > 0)
  const shortlist = { tools, backbones: Math.max(1, backbones.length), given: asked.given }
  const chosen = ordered(candidatesOf(shortlist, score).filter(isAgent), score, { tools, k })
  const profiles = chosen.map(({ backbone, tools: set, score: own }, at): ComposedProfile => {
    const name = composedName(english, at + 1)
    const model = backbones[backbone]?.backbone ?? null
    const surest = [...set].sort((a, b) => tools[b]!.need - tools[a]!.need).map((place) => tools[place]!.card)
    return {
      name,
      score: Math.min(1, own * likelihood),
      backbone: model,
      tools: surest,
      serves: facets.map((facet, step) => {
        const [best] = bestOf(tools, step, [...set])
        const probability = servedStep(tools, set, step)
        const isSaid = best !== undefined && isNamed(services[step]!, probability)
        return { facet, tool: isSaid ? tools[best]!.card.id : null, probability }
      }),
      // Ten of them take as long as finding their tools, and most who ask want none.
      get yaml() {
        return composedYaml({ name, task, backbone: model, tools: surest, entryOf: servers.entryOf })
      },
    }
  })
  const stepsThat = (match: StepService['match']): readonly string[] =>
    facets.filter((_, step) => services[step]!.match === match)
  const unserved = stepsThat('none')
  const variables = [...new Set(profiles.flatMap((profile) => profile.tools).flatMap(servers.variablesOf))]
  return {
    task,
    facets,
    profiles,
    unserved,
    ...(asked.answer === undefined ? {} : { asked: asked.answer }),
    notes: [
      ...(facets.length === maxFacets && splitRequest(english).beyond > 0
        ? [
            `A task has ${maxFacets} steps at most: the rest stands in the last. Compose it as a task of its own.`,
          ]
        : []),
      ...unserved.map((step) => `No tool of yours does this: "${step}".`),
      ...stepsThat('weak').map((step) => `It is open whether a tool of yours does this: "${step}".`),
      ...(tools.length === 0 && unserved.length === 0
        ? ['No tool of your MCP servers was found. Run `audition index` where they are configured.']
        : []),
      ...(backbones.length === 0 && chosen.length > 0
        ? ['A model is missing to run it: set AUDITION_LLM, and compose again.']
        : []),
      ...modelNotes(asked, unreached),
      ...(variables.length === 0
        ? []
        : [`Servers need from the environment in which a profile runs: ${variables.join(', ')}.`]),
      ...servers.notes,
    ],
  }
}

/** What is to be said of the models that were reached and asked. */
const modelNotes = ({ answer, given, failure }: Asked, unreached: number): readonly string[] => [
  ...(unreached === 0
    ? []
    : [`Left out: ${countOf(unreached, 'backbone')} of other agents, which AUDITION_LLM does not reach.`]),
  ...(failure === undefined ? [] : [failure]),
  ...(answer === undefined || given.length > 0
    ? []
    : [`${answer.model} named no combination that can be used.`]),
]

/** Best first. */
async function findBackbones(
  task: string,
  { models, modelScores, search }: ComposingParts,
  signal?: AbortSignal,
): Promise<{ readonly backbones: readonly BackboneEvidence[]; readonly unreached: number }> {
  if (models.configured.length === 0) return { backbones: [], unreached: 0 }
  const agents = await search(
    { kind: 'agent', query: task, k: agentDepth, filter: { agentKinds: ['profile'] } },
    signal,
  )
  const { backbones, unreached } = backbonesFor(models, agents)
  const scores = await modelScores(task, backbones)
  const scored = backbones.map((backbone, at) => ({ ...backbone, score: scores[at]! }))
  return { backbones: scored.sort((a, b) => b.score - a.score), unreached }
}

/** The servers of tools, each asked for once; why those are left out that cannot stand in a profile. */
function boundServers({ serverOf }: ComposingParts) {
  const known = new Map<string, ServerForHost | null>()
  const notes: string[] = []
  const isBound = (tool: ToolCard): boolean => {
    if (!known.has(tool.source)) known.set(tool.source, bound(tool))
    return known.get(tool.source) !== null
  }
  const bound = (tool: ToolCard): ServerForHost | null => {
    try {
      return serverOf(tool)
    } catch (error) {
      if (!RemedyError.isInstance(error)) throw error
      notes.push(`Left out, tools of "${tool.source}": ${withRemedy(error.message, error.remedy)}`)
      return null
    }
  }
  return {
    isBound,
    notes,
    entryOf: ({ source }: ToolCard) => known.get(source)!.entry,
    variablesOf: ({ source }: ToolCard) => known.get(source)!.variables,
  }
}

/** @param likelihood - that the steps have a tool here: without one a set is no better than the model alone, if there is one */
function scorerOf(
  tools: readonly ToolEvidence[],
  backbones: readonly BackboneEvidence[],
  likelihood: number,
): Scorer {
  const ofSet = toolsetScore(tools)
  const factors = backboneFactors(backbones)
  const alone = backbones.length === 0 ? 1 : 1 / Math.max(1e-9, likelihood)
  return ({ backbone, tools: set }) => ofSet(set) * (set.length === 0 ? alone : 1) * (factors[backbone] ?? 1)
}

/** What a composition has when a model was asked for combinations, and when none was. */
type Asked = {
  readonly tools: readonly ToolEvidence[]
  readonly given: readonly ProfileCandidate[]
  readonly answer?: NonNullable<Composition['asked']>
  /** Why the model could not be asked, a sentence. */
  readonly failure?: string
}

/** What the model combines becomes a candidate, and the tools that it takes are the surer to be needed, its first combinations most. */
async function askModel(
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
