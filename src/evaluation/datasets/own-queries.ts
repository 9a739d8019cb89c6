import { basename } from 'node:path'
import { sourceIdOf } from '../../catalog/identity.ts'
import type { CardKind } from '../../domain/card.ts'
import { isJsonObject } from '../../domain/json.ts'
import { isFile } from '../../domain/paths.ts'
import { countOf } from '../../domain/text/count-of.ts'
import {
  assembled,
  chosenSettings,
  counted,
  DatasetError,
  type DatasetPart,
  type DatasetRecipe,
  type DatasetSetting,
  type JudgedQuery,
  wantedNames,
} from './dataset.ts'
import { fingerprintOf } from './files.ts'
import { looksLikeOwnQueries, type OwnRow, ownRows } from './own-query-rows.ts'
import { defined } from '../../domain/defined.ts'

const settings: readonly DatasetSetting[] = [
  {
    name: 'kind',
    describes: 'What queries without a "kind" of their own look for',
    values: ['tool', 'agent'],
  },
]

/**
 * A user's own queries over their own index: JSON Lines, JSON, CSV or TSV with the columns `query` and `expected` (card
 * ids; several as a list or separated by `|`), and perhaps `grade` (one for all, or one per id), `id`, `group`,
 * `instruction` and `kind` (`tool` or `agent`). Rows of one id, or of one text without ids, are one query. A query that expects nothing
 * is right to end with "no good match".
 */
export const ownQueries: DatasetRecipe = {
  name: 'own-queries',
  describes: 'Your own queries with expected card ids (JSON Lines or CSV), asked of your own index',
  settings,
  recognises: (path) => isFile(path) && looksLikeOwnQueries(path),
  async read(path, only, given) {
    const kind = chosenSettings('own-queries', settings, given).get('kind') as CardKind
    const { queries, empty } = mergedQueries(path, ownRows(path), kind)
    const name = sourceIdOf(basename(path).replace(/\.(?:jsonl|ndjson|json|csv|tsv)(?:\.gz)?$/i, ''))
    const kinds = (['tool', 'agent'] as const).filter((each) => queries.some((query) => query.kind === each))
    const nameOf = (each: CardKind) => (kinds.length === 1 ? name : `${name} ${each}s`)
    const wanted = wantedNames('own-queries', kinds.map(nameOf), only)
    return assembled(
      {
        name,
        origin: `${countOf(queries.length, 'query', 'queries')} of ${basename(path)} (sha256 ${fingerprintOf([path])})`,
        parts: kinds
          .filter((each) => wanted.includes(nameOf(each)))
          .map(
            (each): DatasetPart => ({
              name: nameOf(each),
              kind: each,
              cards: [],
              queries: queries.filter((query) => query.kind === each).map(({ query }) => query),
            }),
          ),
        headline: ['ndcg@10', 'recall@10', 'mrr@10', 'completeness@10'],
        notes: counted(
          empty,
          'query expects nothing: it is right when the answer is "no good match".',
          'queries expect nothing: they are right when the answer is "no good match".',
        ),
      },
      path,
    )
  },
}

/** A user's query, with what it looks for. */
type OwnQuery = { readonly kind: CardKind; readonly query: JudgedQuery }

/**
 * Makes queries of rows. Rows with one id, or with one text and no ids, are one query whose expectations are joined.
 *
 * @returns queries in the order of their first rows, and how many of them expect nothing
 * @throws DatasetError that names the row: no text, a grade that is no whole number, an id with two texts
 */
function mergedQueries(
  file: string,
  rows: readonly OwnRow[],
  defaultKind: CardKind,
): { readonly queries: readonly OwnQuery[]; readonly empty: number } {
  const merged = new Map<
    string,
    { named: boolean; kind: CardKind; query: JudgedQuery; grades: Map<string, number> }
  >()
  for (const row of rows) {
    const text = textOf(row.record.query)
    if (text === '') throw wrong(row, 'the row has no "query"', 'Write what is asked for in plain words.')
    const kind = kindOf(row, defaultKind)
    const id = textOf(row.record.id) || `${kind} ${text}`
    const known = merged.get(id)
    if (known !== undefined && (known.query.text !== text || known.kind !== kind)) {
      throw wrong(row, `the id "${id}" is that of another query`, 'Give every query an id of its own.')
    }
    const grades = known?.grades ?? new Map<string, number>()
    for (const [expected, grade] of expectationsOf(row)) grades.set(expected, grade)
    const needs = needsOf(row) ?? known?.query.needs
    const group = textOf(row.record.group) || known?.query.group
    const instruction = textOf(row.record.instruction) || known?.query.instruction
    const query = defined({ id, text, grades, needs, group, instruction })
    merged.set(id, { named: textOf(row.record.id) !== '', kind, query, grades })
  }
  const queries = [...merged.values()].map(({ named, kind, query }, index) => ({
    kind,
    query: named ? query : { ...query, id: `${fileStem(file)}-${index + 1}` },
  }))
  return { queries, empty: queries.filter(({ query }) => query.grades.size === 0).length }
}

/** Ids that a row expects with a grade above 0. */
export const expectedIds = (row: OwnRow): readonly string[] =>
  expectationsOf(row).flatMap(([id, grade]) => (grade > 0 ? [id] : []))

/** Expected ids with their grades, 1 unless the row says otherwise. */
function expectationsOf(row: OwnRow): readonly (readonly [string, number])[] {
  const { expected } = row.record
  if (isJsonObject(expected)) return Object.entries(expected).map(([id, grade]) => [id, gradeOf(row, grade)])
  const ids = listOf(expected)
  const grades = listOf(row.record.grade)
  if (grades.length > 1 && grades.length !== ids.length) {
    throw wrong(
      row,
      `${grades.length} grades stand beside ${ids.length} ids`,
      'Give one grade, or one per id.',
    )
  }
  return ids.map((id, index) => [id, grades.length === 0 ? 1 : gradeOf(row, grades[index] ?? grades[0])])
}

/** A list as JSON has it, as JSON text, or separated by `|`; without empty entries. */
function listOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map((entry) => String(entry).trim()).filter((entry) => entry !== '')
  if (typeof value === 'number') return [String(value)]
  const text = textOf(value)
  return text.startsWith('[')
    ? listOf(parsedList(text))
    : text
        .split('|')
        .map((entry) => entry.trim())
        .filter(Boolean)
}

function parsedList(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : []
  } catch {
    return [] // an id that begins with a bracket is none of ours
  }
}

function gradeOf(row: OwnRow, value: unknown): number {
  const grade = typeof value === 'string' && value.trim() === '' ? 1 : Number(value ?? 1)
  if (Number.isInteger(grade) && grade >= 0) return grade
  throw wrong(
    row,
    `the grade "${String(value)}" is no whole number from 0`,
    'Use for example 1, or 2 for the best answer.',
  )
}

function needsOf(row: OwnRow): readonly (readonly string[])[] | undefined {
  const { needs } = row.record
  return Array.isArray(needs) && needs.length > 0 ? needs.map(listOf) : undefined
}

function kindOf(row: OwnRow, defaultKind: CardKind): CardKind {
  const kind = textOf(row.record.kind).toLowerCase().replace(/s$/, '')
  if (kind === '') return defaultKind
  if (kind === 'tool' || kind === 'agent') return kind
  throw wrong(row, `the kind "${kind}" is unknown`, 'Write tool or agent, or leave it out.')
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''

const fileStem = (path: string): string => path.replace(/^.*[/\\]/, '').replace(/\..*/s, '')

const wrong = (row: OwnRow, message: string, remedy: string): DatasetError =>
  new DatasetError(`${row.where}: ${message}.`, remedy)
