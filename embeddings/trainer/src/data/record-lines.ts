import type { z } from 'zod'
import { isNestedTooDeep } from '../../../../src/catalog/formats/structured-text.ts'
import type { Problem, SourceDocument } from '../../../../src/catalog/ports.ts'
import { DocumentError, documentFromText, openDocument } from '../../../../src/catalog/source-document.ts'
import { isJsonObject, type JsonObject } from '../../../../src/domain/json.ts'

/** Told of what was left out or repaired. */
export type OnProblem = (problem: Problem) => void

/** Damaged lines that are reported one by one; the rest is counted. */
const mostReported = 20

/**
 * Opens a text; one that cannot be read is reported.
 *
 * @returns undefined when it cannot be read
 */
export function openOrReport(path: string, onProblem: OnProblem): SourceDocument | undefined {
  try {
    return openDocument(path)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    onProblem(error.problem)
    return undefined
  }
}

/** Objects of a JSON Lines text, one a line that is not blank. A damaged line is reported and skipped. */
export const recordLines = (document: SourceDocument, onProblem: OnProblem): readonly JsonObject[] =>
  readLines(document, onProblem, (record) => ({ record }))

/** Like {@link recordLines}, for records of one shape: a line of another shape counts as damaged. */
export const validLines = <T>(
  document: SourceDocument,
  schema: z.ZodType<T>,
  onProblem: OnProblem,
): readonly T[] =>
  readLines(document, onProblem, (json) => {
    const { data, error } = schema.safeParse(json)
    if (data !== undefined) return { record: data }
    const [issue] = error!.issues
    const field = issue!.path.join('.')
    return { wrong: `${field === '' ? '' : `"${field}": `}${issue!.message}; the line was skipped` }
  })

function readLines<T>(
  document: SourceDocument,
  onProblem: OnProblem,
  read: (json: JsonObject) => { readonly record: T } | { readonly wrong: string },
): readonly T[] {
  const records: T[] = []
  let damaged = 0
  for (const [index, line] of document.text.split('\n').entries()) {
    if (line.trim() === '') continue
    const json = recordOf(line)
    const result = json === undefined ? undefined : read(json)
    if (result !== undefined && 'record' in result) records.push(result.record)
    else {
      damaged += 1
      if (damaged <= mostReported) onProblem(damagedLine(document, index, result?.wrong))
    }
  }
  if (damaged > mostReported) {
    onProblem({
      severity: 'error',
      file: document.label,
      message: `${damaged - mostReported} more lines are damaged and were skipped`,
      remedy: 'Mend the lines named first, or download the file again.',
    })
  }
  return records
}

/** The first object of a JSON Lines text, past damaged lines; undefined when there is none. */
export function firstRecord(document: SourceDocument): JsonObject | undefined {
  for (const line of document.text.split('\n')) {
    const record = recordOf(line)
    if (record !== undefined) return record
  }
  return undefined
}

/**
 * The same text with the damaged lines before the first object blanked, for readers that recognise a format by its
 * first line. Line numbers stay.
 */
export function withReadableStart(document: SourceDocument, onProblem: OnProblem): SourceDocument {
  const lines = document.text.split('\n')
  const start = lines.findIndex((line) => recordOf(line) !== undefined)
  const damaged = lines
    .slice(0, Math.max(0, start))
    .flatMap((line, index) => (line.trim() === '' ? [] : index))
  if (damaged.length === 0) return document
  for (const index of damaged) {
    onProblem(damagedLine(document, index))
    lines[index] = ''
  }
  return documentFromText(document.path, lines.join('\n'), document.label)
}

const damagedLine = (
  document: SourceDocument,
  index: number,
  wrong = 'the line is not a complete JSON object and was skipped',
): Problem => ({
  severity: 'error',
  file: document.label,
  field: `line ${index + 1}`,
  message: wrong,
  remedy: 'Write one JSON object a line; if the file was downloaded, download it again.',
})

function recordOf(line: string): JsonObject | undefined {
  if (!line.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) && !isNestedTooDeep(line) ? value : undefined
  } catch {
    return undefined
  }
}
