import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { catalogName, hasEnding } from '../path-names.ts'
import { field } from './published-fields.ts'
import { isNestedTooDeep } from './structured-text.ts'
import type { CardDraft, Problem, ReadResult, SourceDocument } from '../ports.ts'

/** Problems reported one by one; the rest is counted, so that a broken file of 50,000 lines stays readable. */
const mostProblems = 50

/**
 * The object on the first line that is not blank, for readers that recognise a format by it.
 *
 * @returns undefined when that line is no JSON object
 */
export function firstJsonLine(document: SourceDocument): JsonObject | undefined {
  const [, line] = /^\s*(\{.*)/.exec(document.text) ?? []
  return line === undefined ? undefined : parsed(line)
}

/** The first record of JSON Lines or of one JSON array; undefined for a document that by its name or its start is neither. */
export function firstRecord(document: SourceDocument): unknown {
  if (hasEnding(document.path, 'jsonl', 'ndjson')) return firstJsonLine(document)
  if (!hasEnding(document.path, 'json') || !/^\s*\[/.test(document.text)) return undefined
  const json = document.json()
  return Array.isArray(json) ? json[0] : undefined
}

/** Reads a catalog that is JSON Lines or one JSON array, and calls it by its file. */
export const readCatalog = (document: SourceDocument, cardOf: CardOfRecord): ReadResult => ({
  ...(hasEnding(document.path, 'jsonl', 'ndjson')
    ? readJsonLines(document, cardOf)
    : readRecords(document, entriesOf(document.json()), cardOf)),
  ...field('sourceName', catalogName(document.path)),
})

/**
 * Reads a catalog of one JSON object a line. A line that is broken, or that `cardOf` refuses, becomes an error that
 * names it, and the next line goes on; of two records with one key the first is taken.
 *
 * @param cardOf - the card of a record, or what is wrong with the record
 */
export const readJsonLines = (document: SourceDocument, cardOf: CardOfRecord): ReadResult =>
  readRecords(document, linesOf(document.text), cardOf)

/** Why a record gives no card: told from what it may give by its class, since that may have any fields. */
export class RefusedRecord {
  readonly field: string | undefined
  readonly message: string
  readonly remedy: string
  constructor({ field, message, remedy }: Omit<Problem, 'severity' | 'file'>) {
    this.field = field
    this.message = message
    this.remedy = remedy
  }
}

/** The card of one record, with the key that only it has, or why there is none. */
export type CardOfRecord = (record: JsonObject) => (CardDraft & { readonly key: string }) | RefusedRecord

/** A record, undefined when it is no object, and where it stands: `line 12` or `[11]`. */
export type RecordPlace = { readonly where: string; readonly record: JsonObject | undefined }

function readRecords(
  document: SourceDocument,
  places: Iterable<RecordPlace>,
  cardOf: CardOfRecord,
): ReadResult {
  const keys = new Set<string>()
  const { records: cards, problems } = recordsAt(document, places, (record) => {
    const card = cardOf(record)
    if (card instanceof RefusedRecord) return card
    if (keys.has(card.key)) return duplicate(card.key)
    keys.add(card.key)
    return card
  })
  return { cards, servers: [], problems }
}

/** Reads records one by one; what is refused is told by its place, and the rest is read. */
export function recordsAt<T extends object>(
  document: Pick<SourceDocument, 'label'>,
  places: Iterable<RecordPlace>,
  read: (record: JsonObject) => T | RefusedRecord,
): { readonly records: readonly T[]; readonly problems: readonly Problem[] } {
  const records: T[] = []
  const problems: Problem[] = []
  let leftOut = 0
  const refuse = (where: string, refused: RefusedRecord) => {
    leftOut += 1
    if (leftOut > mostProblems) return
    const { message, remedy } = refused
    const place = refused.field === undefined ? where : `${where}, ${refused.field}`
    problems.push({ severity: 'error', file: document.label, field: place, message, remedy })
  }
  for (const { where, record } of places) {
    const one = record === undefined ? notAnObject : read(record)
    if (one instanceof RefusedRecord) refuse(where, one)
    else records.push(one)
  }
  if (leftOut > mostProblems) {
    const message = `${leftOut - mostProblems} more records were left out for reasons like these`
    problems.push({
      severity: 'error',
      file: document.label,
      message,
      remedy: 'Mend the records named first.',
    })
  }
  return { records, problems }
}

const notAnObject = new RefusedRecord({
  message: 'the record is not a JSON object',
  remedy: 'Write each record as one complete JSON object.',
})

const duplicate = (key: string): RefusedRecord =>
  new RefusedRecord({
    field: 'id',
    message: `a record before this one has the id "${key}"`,
    remedy: 'Give every record an id of its own.',
  })

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && !isNestedTooDeep(text) ? value : undefined
  } catch {
    return undefined
  }
}

/** Lines that are not blank, counted from 1. */
export function* linesOf(text: string): Generator<RecordPlace> {
  let start = 0
  for (let line = 1; start < text.length; line += 1) {
    const end = text.indexOf('\n', start)
    const stop = end === -1 ? text.length : end
    const content = text.slice(start, stop)
    if (content.trim() !== '') yield { where: `line ${line}`, record: parsed(content) }
    start = stop + 1
  }
}

function* entriesOf(json: unknown): Generator<RecordPlace> {
  for (const [index, entry] of (Array.isArray(json) ? json : []).entries()) {
    yield { where: `[${index}]`, record: isJsonObject(entry) ? entry : undefined }
  }
}
