import type { Card } from '../domain/card.ts'
import type { Ranking } from '../domain/ranking.ts'
import { normalised } from '../domain/text/normalised.ts'
import type { Dataset, Equivalence } from './datasets/dataset.ts'
import type { Judgements } from './measures/measure.ts'
import type { RunSettings } from './evaluation-run.ts'
import type { CatalogSnapshot } from '../retrieval/ports.ts'

/** Card id to the ids of its class, itself among them, ascending. Cards without a copy are absent. */
export type Copies = ReadonlyMap<string, readonly string[]>

/** The cards among these that have copies. */
export function copiesAmong(cards: readonly Card[], { classOf }: Equivalence): Copies {
  const classes = new Map<string, Set<string>>()
  for (const card of cards) {
    const key = classOf(card)
    if (key === undefined) continue
    const members = classes.get(key)
    if (members === undefined) classes.set(key, new Set([card.id]))
    else members.add(card.id)
  }
  return new Map(
    [...classes.values()]
      .filter(({ size }) => size > 1)
      .flatMap((members) => {
        const ids = [...members].sort()
        return ids.map((id) => [id, ids] as const)
      }),
  )
}

/**
 * Cards whose names and whose descriptions are the same but for case, punctuation and spaces. A card without a
 * description has no copies: two tools called `search` need not be one.
 */
export const sameText: Equivalence = {
  describes: 'cards with the same name and description but for case, punctuation and spaces',
  classOf({ kind, name, description }) {
    const described = normalisedText(description)
    return described === '' ? undefined : JSON.stringify([kind, normalisedText(name), described])
  },
}

/** The copies within what is searched, and how a run tells of them. */
type CorpusCopies = {
  of(snapshot: CatalogSnapshot): Promise<Copies>
  /** @param credited - queries in which a copy took over a label */
  notes(credited: number): readonly string[]
}

const none: Copies = new Map()

/** By the dataset's own classes where it has them, else by text; strictly, nothing is a copy of anything. */
export function corpusCopies(
  { equivalence: classes = sameText }: Dataset,
  equivalence: RunSettings['equivalence'],
): CorpusCopies {
  if (equivalence === 'strict') return { of: async () => none, notes: () => [] }
  let last: { readonly snapshot: CatalogSnapshot; readonly copies: Promise<Copies> } | undefined
  return {
    of(snapshot) {
      if (last?.snapshot !== snapshot)
        last = { snapshot, copies: everyCard(snapshot).then((cards) => copiesAmong(cards, classes)) }
      return last.copies
    },
    notes: (credited) => [
      `Equivalence-aware: copies of a relevant card earn its label (${classes.describes}). They did in ${credited} ${credited === 1 ? 'query' : 'queries'}. Such figures do not compare with strict ones.`,
    ],
  }
}

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
export function creditCopies(ranking: Ranking, judgements: Judgements, copies: Copies): CreditedJudgements {
  const classes = new Set(
    [...judgements.grades].flatMap(([id, grade]) => {
      const members = grade > 0 ? copies.get(id) : undefined
      return members === undefined ? [] : [members]
    }),
  )
  const needs = widened(judgements, copies)
  const standIns = new Map<string, string>()
  if (classes.size === 0) return { grades: judgements.grades, ...needs, standIns }
  const places = new Map(ranking.map(({ id }, place) => [id, place]))
  const grades = new Map(judgements.grades)
  for (const members of classes) {
    const labelled = members
      .filter((id) => (judgements.grades.get(id) ?? 0) > 0)
      .sort((a, b) => judgements.grades.get(b)! - judgements.grades.get(a)!)
    const ranked = members
      .filter((id) => places.has(id) && judgements.grades.get(id) !== 0)
      .sort((a, b) => places.get(a)! - places.get(b)!)
    const earning = [...ranked, ...labelled.filter((id) => !places.has(id))]
    for (const id of labelled) grades.delete(id)
    for (const [at, label] of labelled.entries()) {
      const id = earning[at]!
      grades.set(id, judgements.grades.get(label)!)
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

/** A text without case, punctuation and the width of spaces; the text itself when nothing else is in it. */
export function normalisedText(text: string): string {
  const plain = normalised(text, 'NFKC').toLowerCase()
  const words = plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return words === '' ? plain.replace(/\s+/g, ' ').trim() : words
}

/** All cards of a snapshot, tools first. */
export function everyCard(index: CatalogSnapshot): Promise<readonly Card[]> {
  const ids = (['tool', 'agent'] as const).flatMap((kind) => {
    const { size, ids: table } = index.indexes[kind]
    return Array.from({ length: size }, (_, document) => table.at(document))
  })
  return index.cards(ids)
}
