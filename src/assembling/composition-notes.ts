import { countOf } from '../domain/text/count-of.ts'
import { maxFacets, splitRequest } from '../retrieval/query/facets.ts'
import type { Asked } from './ask-model.ts'
import type { StepService } from './tool-evidence.ts'

/** What of a composition its notes tell. */
type NotedParts = {
  /** The task as the searches read it. */
  readonly english: string
  readonly facets: readonly string[]
  /** Of each step. */
  readonly services: readonly StepService[]
  readonly asked: Asked
  readonly backbones: { readonly reached: number; readonly unreached: number }
  readonly profiles: number
  /** What servers of the profiles need from the environment. */
  readonly variables: readonly string[]
  /** Why servers were left out. */
  readonly servers: readonly string[]
}

/** What a person should know of a composition, a sentence each. */
export function compositionNotes(parts: NotedParts): readonly string[] {
  const { english, facets, services, asked, backbones, profiles, variables, servers } = parts
  const unserved = stepsThat('none', facets, services)
  return [
    ...(facets.length === maxFacets && splitRequest(english).beyond > 0
      ? [
          `A task has ${maxFacets} steps at most: the rest stands in the last. Compose it as a task of its own.`,
        ]
      : []),
    ...unserved.map((step) => `No tool of yours does this: "${step}".`),
    ...stepsThat('weak', facets, services).map(
      (step) => `It is open whether a tool of yours does this: "${step}".`,
    ),
    ...(asked.tools.length === 0 && unserved.length === 0
      ? ['No tool of your MCP servers was found. Run `audition index` where they are configured.']
      : []),
    ...(backbones.reached === 0 && profiles > 0
      ? ['A model is missing to run it: set AUDITION_LLM, and compose again.']
      : []),
    ...modelNotes(asked, backbones.unreached),
    ...(variables.length === 0
      ? []
      : [
          `Set before a profile runs, since the servers of its tools read it from the environment: ${variables.join(', ')}.`,
        ]),
    ...servers,
  ]
}

/** The steps that are served so. */
export const stepsThat = (
  match: StepService['match'],
  facets: readonly string[],
  services: readonly StepService[],
): readonly string[] => facets.filter((_, step) => services[step]!.match === match)

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
