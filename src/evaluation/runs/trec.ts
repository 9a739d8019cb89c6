import { type Qrels, rank, type Ranking } from '../../domain/ranking.ts'
import { DatasetError } from '../datasets/dataset.ts'
import type { EvaluationRun } from '../evaluation-run.ts'

/** Rankings by query id. */
export type Run = ReadonlyMap<string, Ranking>

/** Lines of a file, with or without their line ends, for example those of `node:readline`. */
type Lines = Iterable<string> | AsyncIterable<string>

/**
 * Reads a TREC run: `query Q0 candidate rank score tag` per line. As in trec_eval, the rank column is ignored, scores
 * are taken as 32-bit floats, what follows the tag is ignored, and blank lines and lines that begin with # are passed over.
 *
 * @param file - how errors name the file
 * @throws DatasetError that names file and line
 */
export async function readTrecRun(lines: Lines, file: string): Promise<Run> {
  const queries = new Map<string, Map<string, number>>()
  let number = 0
  for await (const line of lines) {
    number += 1
    const fields = fieldsOf(number === 1 ? line.replace(/^\uFEFF/, '') : line)
    if (fields.length === 0 || fields[0]!.startsWith('#')) continue
    const refusal = (message: string, remedy: string) =>
      new DatasetError(`${file}, line ${number}: ${message}.`, remedy)
    const [query = '', , id = '', , score = '', tag] = fields
    if (tag === undefined) {
      const message = `${fields.length} fields where "query Q0 candidate rank score tag" has 6`
      throw refusal(message, 'Separate the fields by blanks or tabs; an id cannot hold any.')
    }
    if (!isNumber(score)) {
      const remedy = 'Write scores as plain numbers, for example 12.5 or 3e-7.'
      throw refusal(`the score "${score}" is no number`, remedy)
    }
    const known = queries.get(query) ?? new Map<string, number>()
    if (known.has(id)) {
      const message = `a line before this one has query "${query}" and candidate "${id}"`
      throw refusal(message, 'Keep one of the two lines.')
    }
    queries.set(query, known.set(id, Math.fround(Number(score))))
  }
  return new Map(
    [...queries].map(([query, scores]) => [query, rank([...scores].map(([id, score]) => ({ id, score })))]),
  )
}

/**
 * The lines of a TREC run, each with its line end: queries in the order of their ids, candidates by rank. The order
 * that trec_eval makes of the scores is the order of the ranking, ties included; see {@link trecScores}. A query
 * without candidates has no line.
 *
 * @param tag - names the run
 * @throws DatasetError when an id cannot be written, as it holds blanks
 */
export function* trecRunLines(run: Run, tag = 'audition'): Generator<string> {
  checkWritable(tag, 'tag')
  for (const [query, ranking] of inOrder(run)) {
    checkWritable(query, 'query')
    const scores = trecScores(ranking)
    for (const [place, { id }] of ranking.entries()) {
      checkWritable(id, 'candidate')
      yield `${query} Q0 ${id} ${place + 1} ${scores[place]!} ${tag}\n`
    }
  }
}

/**
 * The lines of TREC qrels, each with its line end, queries and candidates in the order of their ids.
 *
 * @throws DatasetError when an id holds blanks, or a grade is not whole
 */
export function* trecQrelsLines(qrels: Qrels): Generator<string> {
  for (const [query, grades] of inOrder(qrels)) {
    checkWritable(query, 'query')
    for (const [id, grade] of inOrder(grades)) {
      checkWritable(id, 'candidate')
      if (!Number.isInteger(grade))
        throw new DatasetError(
          `query "${query}", candidate "${id}": the grade ${grade} cannot stand in a qrels file.`,
          'Scale the grades of the dataset to whole numbers.',
        )
      yield `${query} 0 ${id} ${grade}\n`
    }
  }
}

/** The blanks of the C locale, as trec_eval knows them: an id may hold a no-break space. */
const fieldsOf = (line: string): readonly string[] =>
  line.split(/[ \t\n\v\f\r]+/).filter((field) => field !== '')

const isNumber = (text: string): boolean => /^[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text)

/** Ends of lines to readers in general, U+2028 and U+2029 among them, are blanks here too. */
function checkWritable(id: string, what: 'query' | 'candidate' | 'tag'): void {
  if (id === '' || /[ \t\n\v\f\r\u2028\u2029]/.test(id))
    throw new DatasetError(
      `the ${what} id "${id}" cannot stand in a TREC file, whose fields end at a blank.`,
      'Give it an id without blanks, for example acme/lease-review.',
    )
  if (what === 'query' && id.startsWith('#'))
    throw new DatasetError(
      `the query id "${id}" cannot stand in a TREC file, where # begins a comment.`,
      'Give it an id that begins with a letter or digit.',
    )
}

/** By id in code units, whatever order they were put in. */
const inOrder = <Value>(entries: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] =>
  [...entries].sort(([a], [b]) => (a < b ? -1 : 1))

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

const largest = 3.4028234663852886e38

/**
 * The scores of a ranking as decimals that trec_eval puts in the very order of the ranking. trec_eval holds scores as
 * 32-bit floats: two of ours that differ by less would become a tie there, and be ordered by id. Equal scores stay
 * equal, and of two that differ the lower is written at least one float lower. Infinite scores become the largest
 * float, the only case in which a difference can be lost.
 *
 * @returns one decimal per candidate, in the order of the ranking
 */
export function trecScores(ranking: Ranking): readonly string[] {
  const written: number[] = []
  for (const [place, { score }] of ranking.entries()) {
    const above = written[place - 1] ?? Number.POSITIVE_INFINITY
    const value = Math.min(Math.max(Math.fround(score), -largest), largest)
    if (place > 0 && ranking[place - 1]!.score === score) written.push(above)
    else written.push(value < above ? value : nextBelow(above))
  }
  return written.map(shortest)
}

const float = new Float32Array(1)
const bits = new Int32Array(float.buffer)

/** The next 32-bit float below a finite one. */
function nextBelow(value: number): number {
  if (value <= -largest) return value
  if (value === 0) return -(2 ** -149)
  float[0] = value
  bits[0]! += value > 0 ? -1 : 1 // neighbouring floats of one sign have neighbouring bits
  return float[0]!
}

/** The shortest decimal that reads back as the same 32-bit float; nine digits always do. */
function shortest(value: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const decimal = Number(value.toPrecision(digits))
    if (Math.fround(decimal) === value) return String(decimal)
  }
  return String(Number(value.toPrecision(9)))
}
