import type { Ranking } from '../../domain/ranking.ts'
import type { Judgements } from '../measures/measure.ts'
import type { Copies } from './copies.ts'

/** Judgements as one ranking is measured by them. */
export type CreditedJudgements = Judgements & {
  /** Copies that took over a label: id to the card whose grade it has. */
  readonly standIns: ReadonlyMap<string, string>
}

/**
 * Lets copies of labelled cards earn their labels: within a class of copies, the members that stand first in the
 * ranking get the grades that the labelled members have, best first. A label is earned once, so that a list full of
 * copies gains nothing by it, and there are as many labels, of the same grades, as before: no measure of relevance is
 * lower than it is strictly, and all are equal when nothing has a copy.
 *
 * A card that was judged not to serve stays so, whatever it is a copy of. A need is met by copies of what meets it.
 *
 * @returns the same judgements when no relevant card has a copy
 */
export function creditCopies(ranking: Ranking, judged: Judgements, copies: Copies): CreditedJudgements {
  const classes = new Set(
    [...judged.grades].flatMap(([id, grade]) => {
      const members = grade > 0 ? copies.get(id) : undefined
      return members === undefined ? [] : [members]
    }),
  )
  const needs = widened(judged, copies)
  const standIns = new Map<string, string>()
  if (classes.size === 0) return { grades: judged.grades, ...needs, standIns }
  const places = new Map(ranking.map(({ id }, place) => [id, place]))
  const grades = new Map(judged.grades)
  for (const members of classes) {
    const labelled = members
      .filter((id) => (judged.grades.get(id) ?? 0) > 0)
      .sort((a, b) => judged.grades.get(b)! - judged.grades.get(a)!)
    const ranked = members
      .filter((id) => places.has(id) && judged.grades.get(id) !== 0)
      .sort((a, b) => places.get(a)! - places.get(b)!)
    const earning = [...ranked, ...labelled.filter((id) => !places.has(id))]
    for (const id of labelled) grades.delete(id)
    for (const [at, label] of labelled.entries()) {
      const id = earning[at]!
      grades.set(id, judged.grades.get(label)!)
      if (!labelled.includes(id)) standIns.set(id, label)
    }
  }
  return { grades, ...needs, standIns }
}

function widened({ grades, needs }: Judgements, copies: Copies): Pick<Judgements, 'needs'> {
  if (needs === undefined) return {}
  const serves = (id: string): boolean => (grades.get(id) ?? 1) > 0
  return {
    needs: needs.map((members) => [
      ...new Set(members.flatMap((id) => [id, ...(copies.get(id) ?? []).filter(serves)])),
    ]),
  }
}
