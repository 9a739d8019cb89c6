import { createHash } from 'node:crypto'
import { revisionOfWitness } from './changing-catalog.ts'
import type { ToolsAnswer } from './search-client.ts'

/** Looks at answers one by one; what is wrong with them piles up. */
export type AnswerChecks = {
  /**
   * @param caller - answers to one caller must not go back to an older catalog
   * @returns the revision of the catalog that answered, or null when it is none that there ever was
   */
  check(caller: number, query: string, answer: ToolsAnswer): number | null
  /** What was wrong, each kind of fault in the words of its first case, with how often. */
  faults(): ReadonlyMap<string, { readonly count: number; readonly example: string }>
}

/**
 * Every answer must come from one whole catalog: its size is that of a revision, witnesses in it are of that revision,
 * the same query on the same revision always has the same answer, word for word.
 *
 * @param revisionOfSize - null for a size that no revision has
 */
export function answerChecks(revisionOfSize: (size: number) => number | null): AnswerChecks {
  const faults = new Map<string, { count: number; example: string }>()
  const known = new Map<string, string>()
  const seen = new Map<number, number>()
  const fault = (kind: string, example: string): void => {
    const before = faults.get(kind)
    if (before === undefined) faults.set(kind, { count: 1, example })
    else before.count += 1
  }
  return {
    check(caller, query, answer) {
      const { searched, candidates } = answer
      const ids = candidates.map(({ id }) => id)
      if (new Set(ids).size < ids.length) fault('a candidate twice', ids.join(' '))
      if (candidates.some(({ score }, at) => at > 0 && score > candidates[at - 1]!.score))
        fault('candidates out of order', JSON.stringify(candidates.map(({ score }) => score)))
      const revision = revisionOfSize(searched)
      if (revision === null) {
        fault('a catalog that never was', `${searched} tools`)
        return null
      }
      const foreign = ids.find((id) => (revisionOfWitness(id) ?? revision) !== revision)
      if (foreign !== undefined) fault('two catalogs in one answer', `${foreign} in revision ${revision}`)
      const before = seen.get(caller) ?? 0
      if (revision < before) fault('an older catalog after a newer one', `${revision} after ${before}`)
      seen.set(caller, Math.max(before, revision))
      const key = `${revision} ${query}`
      const print = createHash('sha256').update(JSON.stringify(answer)).digest('base64')
      if ((known.get(key) ?? print) !== print) fault('two answers of one catalog', `revision ${key}`)
      known.set(key, print)
      return revision
    },
    faults: () => faults,
  }
}
