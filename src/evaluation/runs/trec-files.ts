import { rank } from '../../domain/ranking.ts'
import type { EvaluationRun } from './evaluation-run.ts'
import { trecQrelsLines, trecRunLines } from './trec-format.ts'

/** A run as pieces of a TREC run file, for trec_eval and its kin. */
export const trecRunOf = (run: EvaluationRun, tag: string): Iterable<string> =>
  inPieces(
    trecRunLines(
      new Map(
        run.outcomes.map(({ id, candidates }) => [
          writableId(id),
          rank(candidates.map((candidate) => ({ id: writableId(candidate.id), score: candidate.score }))),
        ]),
      ),
      tag,
    ),
  )

/** The judgements a run was measured by, as pieces of a TREC qrels file. Queries that nothing serves have no line. */
export const trecQrelsOf = (run: EvaluationRun): Iterable<string> =>
  inPieces(
    trecQrelsLines(
      new Map(
        run.outcomes.map(({ id, relevant }) => [
          writableId(id),
          new Map(Object.entries(relevant).map(([candidate, grade]) => [writableId(candidate), grade])),
        ]),
      ),
    ),
  )

/** An id as the format can carry it: blanks, and a # at the start, percent-encoded. */
export const writableId = (id: string): string => id.replace(/\s|^#/gu, encodeURIComponent)

/** Lines written at once. */
const linesAtOnce = 2000

function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece: string[] = []
  for (const line of lines) {
    piece.push(line)
    if (piece.length < linesAtOnce) continue
    yield piece.join('')
    piece = []
  }
  yield piece.join('')
}
