import { printable } from '../../../domain/printable.ts'
import type { EvaluationRun } from '../../evaluation-run.ts'
import { isVerdictMeasure } from '../../verdict-measures.ts'
import { candidateColumns, type ScoreRange, scoreRange } from './candidate-columns.ts'
import { type PackedColumns, packed, textColumns } from './columns.ts'
import type { DetailLevel } from './detail-level.ts'
import { dictionaryOf } from './dictionary.ts'
import { candidatesOf, type KeptQuery } from './kept-queries.ts'
import { type ListNames, listColumns } from './list-columns.ts'
import { highestLexical, shownSignals, signalColumns, wordsOf } from './signal-columns.ts'

/** What the page must know to read the columns. */
export type PackFacts = ListNames & {
  /** Queries in the columns, and in the run. */
  readonly queries: number
  readonly ofQueries: number
  /** Queries kept in full. */
  readonly full: number
  /** Letters and candidates kept of the others. */
  readonly letters: number
  readonly candidates: number
  readonly hasBaseline: boolean
  readonly score: ScoreRange
  readonly highestLexical: number
}

/** A run's queries, ready to stand in a page. */
export type PackedQueries = { readonly facts: PackFacts; readonly columns: PackedColumns }

function* idsOf(kept: readonly KeptQuery[]): Iterable<string> {
  for (const query of kept) {
    for (const { id } of candidatesOf(query)) yield id
    for (const { id } of query.relevant) yield id
    for (const signals of shownSignals(query)) {
      if (signals?.lift !== undefined) yield signals.lift.from
      yield* signals?.duplicates ?? []
    }
  }
}

/** Packs the queries that are kept at a level of detail. Equal input gives equal columns. */
export function packQueries(
  run: EvaluationRun,
  kept: readonly KeptQuery[],
  level: DetailLevel,
): PackedQueries {
  const ids = dictionaryOf(idsOf(kept))
  const words = dictionaryOf(kept.flatMap((query) => wordsOf(shownSignals(query))))
  const names: ListNames = {
    parts: [...new Set(run.outcomes.map(({ part }) => part))],
    groups: [...new Set(run.outcomes.flatMap(({ group }) => group ?? []))].sort(),
    measures: run.measures.filter((name, at) => at < level.measures || isVerdictMeasure(name)),
  }
  const score = scoreRange(kept, level.scoreSteps)
  const lexical = highestLexical(kept)
  const columns = {
    ...listColumns(kept, names, level),
    ...candidateColumns(kept, ids, score),
    ...signalColumns(kept, ids, words, lexical),
    ...textColumns('ids', ids.texts.map(printable)),
    ...textColumns('vocabulary', words.texts.map(printable)),
  }
  return {
    facts: {
      ...names,
      queries: kept.length,
      ofQueries: run.outcomes.length,
      full: kept.filter(({ full }) => full).length,
      letters: level.letters,
      candidates: level.candidates,
      hasBaseline: kept.some(({ baseline }) => baseline !== undefined),
      score,
      highestLexical: lexical,
    },
    columns: Object.fromEntries(Object.entries(columns).map(([name, bytes]) => [name, packed(bytes)])),
  }
}
