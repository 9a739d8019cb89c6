import type { AnswerChecks } from './answer-checks.ts'
import type { SearchClient } from './search-client.ts'

/** One search, as its caller saw it. */
export type Sample = {
  /** By the clock of `performance.now()`. */
  readonly endedAt: number
  readonly milliseconds: number
  /** Of the catalog that answered; null for none. */
  readonly revision: number | null
}

/** What callers saw. */
export type Searching = {
  readonly samples: Sample[]
  /** Messages of searches that failed, with how often. */
  readonly errors: Map<string, number>
}

/** Callers that search one query after another, all at once, and have each answer checked. */
export type Callers = {
  readonly count: number
  /** @param isEnough - asked before each search, with how many were begun */
  search(isEnough: (begun: number) => boolean): Promise<Searching>
}

/** Every tenth search is for `witness`, the others go round the queries. */
export function callers(
  clients: readonly SearchClient[],
  queries: readonly string[],
  witness: string,
  checks: AnswerChecks,
): Callers {
  let turn = 0
  const next = (): string => {
    turn += 1
    return turn % 10 === 0 ? witness : queries[turn % queries.length]!
  }
  return {
    count: clients.length,
    async search(isEnough) {
      const samples: Sample[] = []
      const errors = new Map<string, number>()
      let begun = 0
      const calling = clients.map(async (client, caller) => {
        while (!isEnough(begun)) {
          begun += 1
          const query = next()
          const asked = performance.now()
          try {
            const answer = await client.search(query)
            const endedAt = performance.now()
            const revision = checks.check(caller, query, answer)
            samples.push({ endedAt, milliseconds: endedAt - asked, revision })
          } catch (error) {
            const message = error instanceof Error ? error.message : String(error)
            errors.set(message, (errors.get(message) ?? 0) + 1)
          }
        }
      })
      await Promise.all(calling)
      return { samples, errors }
    },
  }
}
