import { z } from 'zod'
import type { Qrels } from '../../domain/qrels.ts'
import { DatasetError } from './dataset.ts'
import { jsonLinesOf, openFile } from './files.ts'

const queryRecord = z.strictObject({
  id: z.string().min(1),
  part: z.string(),
  group: z.string(),
  /** ISO 639-1; English when absent. */
  language: z.string().length(2).optional(),
  text: z.string().min(1),
  /** One list per thing that is needed, any member of which serves. */
  needs: z.array(z.array(z.string()).min(1)).min(1).optional(),
})

/** One line of our own `queries.jsonl`. */
export type QueryRecord = z.infer<typeof queryRecord>

/**
 * Reads our own queries, one JSON object a line.
 *
 * @throws DatasetError that names file, line and field
 */
export function readQueryRecords(file: string): readonly QueryRecord[] {
  const ids = new Set<string>()
  return jsonLinesOf(file).map((line, index) => {
    const refuse = (message: string): never => {
      throw new DatasetError(
        `${file}, record ${index + 1}: ${message}.`,
        'Write {"id": "q1", "part": "...", "group": "...", "text": "...", "needs": [["id", "alternative"]]}.',
      )
    }
    const { data, error } = queryRecord.safeParse(line)
    if (data === undefined) {
      const [issue] = error.issues
      return refuse(`${issue?.path.join('.') || 'the record'}: ${issue?.message}`)
    }
    if (ids.has(data.id)) refuse(`repeats the id "${data.id}"`)
    ids.add(data.id)
    return data
  })
}

/**
 * Reads judgements in BEIR's form: `query-id`, `corpus-id` and `score` between tabs, under a header.
 *
 * @throws DatasetError that names file and line, also when a candidate is judged twice for one query
 */
export function readQrelsTable(file: string): Qrels {
  const qrels = new Map<string, Map<string, number>>()
  const refuse = (line: number, message: string): never => {
    throw new DatasetError(
      `${file}, line ${line}: ${message}.`,
      'Write query-id, corpus-id and a whole number from 0, with tabs between, under a header.',
    )
  }
  for (const [index, line] of openFile(file).text.split(/\r?\n/).entries()) {
    if (line === '') continue
    if (index === 0) {
      if (line !== 'query-id\tcorpus-id\tscore') refuse(1, 'not the header')
      continue
    }
    const [query = '', candidate = '', grade = '', ...more] = line.split('\t')
    if (query === '' || candidate === '' || !/^\d{1,6}$/.test(grade) || more.length > 0)
      refuse(index + 1, 'not an id, an id and a grade')
    const grades = qrels.get(query) ?? new Map<string, number>()
    if (grades.has(candidate)) refuse(index + 1, `judges "${candidate}" of "${query}" a second time`)
    qrels.set(query, grades.set(candidate, Number(grade)))
  }
  return qrels
}
