/** Which cards a search may return. Conditions are joined by "and", values of one by "or". */
export type CardFilter = {
  readonly sources?: readonly string[]
  readonly tags?: readonly string[]
  /** Agent kinds (`subagent`, `a2a` ...); ignored for tools. */
  readonly agentKinds?: readonly string[]
  /** Only tools of these servers. */
  readonly servers?: readonly string[]
  /** Only cards that can be run. */
  readonly hasRuntime?: boolean
  /** Only tools that declare themselves read-only. */
  readonly readOnly?: boolean
  /** Card ids that must not come back. */
  readonly exclude?: readonly string[]
  /** Only these card ids, as a reranking protocol gives them; an empty list admits none. */
  readonly only?: readonly string[]
}
