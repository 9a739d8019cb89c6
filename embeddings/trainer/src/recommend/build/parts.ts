/** A capability profile as AgentSelect writes it: a backbone, tools, and no policy. */
export type Profile = {
  /** For example `PartII_agent_7`. */
  readonly id: string
  /** Name of the model; null for a toolkit. */
  readonly backbone: string | null
  /** Names of tools, each once; empty for a model alone. */
  readonly tools: readonly string[]
}

/** A request with the agents that serve it, best first. */
export type Question = {
  readonly id: string
  readonly text: string
  /** Ids of profiles of the same part. */
  readonly ranking: readonly string[]
}

/** One part of a dataset of recommendations. */
export type Part = {
  readonly name: 'PartI' | 'PartII' | 'PartIII'
  readonly profiles: readonly Profile[]
  readonly questions: readonly Question[]
}

/** How many of a ranking count as positives, per part: as in the paper. */
export const positivesOf = { PartI: 10, PartII: 1, PartIII: 5 } as const

/** Gives equal profiles one id, numbered as they come. */
export function profileBook(part: Part['name']) {
  const known = new Map<string, Profile>()
  return {
    idOf(backbone: string | null, tools: readonly string[]): string {
      const names = [...new Set(tools)]
      const key = JSON.stringify([backbone, [...names].sort()])
      const profile = known.get(key) ?? { id: `${part}_agent_${known.size}`, backbone, tools: names }
      known.set(key, profile)
      return profile.id
    },
    profiles: (): readonly Profile[] => [...known.values()],
  }
}
