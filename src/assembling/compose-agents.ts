import type { ToolCard } from '../domain/card.ts'
import type { ServerForHost } from '../catalog/server-block.ts'
import { RemedyError, withRemedy } from '../domain/remedy-error.ts'
import { askModel } from './ask-model.ts'
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
import { compositionNotes, stepsThat } from './composition-notes.ts'
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
  const english = found.whole.readAs ?? task
  const likelihood = services.reduce((sum, { best }) => sum + best, 0) / services.length
  const ground: Ground = { task, english, facets, services, tools: asked.tools, backbones, likelihood }
  const chosen = isServed ? chosenSets(ground, asked.given, k) : []
  const profiles = chosen.map((one, at) =>
    profileOf(one, composedName(english, at + 1), { ...ground, servers }),
  )
  const variables = [...new Set(profiles.flatMap((profile) => profile.tools).flatMap(servers.variablesOf))]
  return {
    task,
    facets,
    profiles,
    unserved: stepsThat('none', facets, services),
    ...(asked.answer === undefined ? {} : { asked: asked.answer }),
    notes: compositionNotes({
      english,
      facets,
      services,
      asked,
      backbones: { reached: backbones.length, unreached },
      profiles: chosen.length,
      variables,
      servers: servers.notes,
    }),
  }
}

/** What sets of tools are made of, and profiles of sets. */
type Ground = {
  readonly task: string
  /** The task as the searches read it. */
  readonly english: string
  readonly facets: readonly string[]
  readonly services: readonly StepService[]
  readonly tools: readonly ToolEvidence[]
  readonly backbones: readonly BackboneEvidence[]
  /** That the steps have a tool here. */
  readonly likelihood: number
}

/** @param given - sets that a model gave */
function chosenSets(
  { tools, backbones, likelihood }: Ground,
  given: readonly ProfileCandidate[],
  k: number,
): readonly ScoredSet[] {
  const score = scorerOf(tools, backbones, likelihood)
  const isAgent = (one: ProfileCandidate): boolean => backbones.length > 0 || one.tools.length > 0
  const shortlist = { tools, backbones: Math.max(1, backbones.length), given }
  return ordered(candidatesOf(shortlist, score).filter(isAgent), score, { tools, k })
}

type ScoredSet = ReturnType<typeof ordered>[number]

function profileOf(
  { backbone, tools: set, score }: ScoredSet,
  name: string,
  {
    task,
    facets,
    services,
    tools,
    backbones,
    likelihood,
    servers,
  }: Ground & { readonly servers: BoundServers },
): ComposedProfile {
  const model = backbones[backbone]?.backbone ?? null
  const surest = [...set].sort((a, b) => tools[b]!.need - tools[a]!.need).map((place) => tools[place]!.card)
  return {
    name,
    score: Math.min(1, score * likelihood),
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
}

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

type BoundServers = ReturnType<typeof boundServers>

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
