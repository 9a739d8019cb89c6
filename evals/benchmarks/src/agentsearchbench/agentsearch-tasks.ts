import { basename } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/domain/json.ts'

/** What a task asks: one concrete thing, several at once, or a goal that concrete queries stand for. */
export type TaskKind = 'single' | 'multi' | 'description' | 'real'

/** Numbers by agent id, in the order published. */
export type ByAgent = ReadonlyMap<string, number>

/** A task of AgentSearchBench with whatever is known of its agents. */
export type AgentTask = {
  readonly id: string
  readonly kind: TaskKind
  readonly text: string
  /** Texts of its subtasks; empty for a single one. */
  readonly subtasks: readonly string[]
  /** Judged scores 1..5, one map per subtask; absent when only labels were published. */
  readonly scores?: readonly ByAgent[]
  /** Agents labelled relevant, one map per subtask when they are published so. */
  readonly subtaskLabels?: readonly ByAgent[]
  /** Agents labelled relevant by any subtask. */
  readonly labels?: ByAgent
  /** Grades for reranking, as published. */
  readonly ranking?: ByAgent
  /** Whether an agent's success is documented: 1 or 0, by the consistency judge. */
  readonly documented?: ByAgent
}

/**
 * Tasks out of the benchmark's own files, one key a line: `<kind>_tasks.jsonl` and, by the same beginning, `_labels`,
 * `_ranking_labels`, `_judged_labels`, `_labels_multi` and `_consistency`.
 */
export function tasksOfKeyedFiles(files: readonly KeyedFile[]): readonly AgentTask[] {
  return files
    .filter(({ path }) => suffixOf(path) === 'tasks')
    .flatMap((tasks) => {
      const prefix = prefixOf(tasks.path)
      const beside = (...suffixes: readonly string[]): JsonObject =>
        files.find(({ path }) => prefixOf(path) === prefix && suffixes.includes(suffixOf(path)))?.entries ??
        {}
      const judged = beside('judged_labels')
      const multi = beside('labels_multi', 'multi_labels')
      const labels = beside('labels')
      const ranking = beside('ranking_labels', 'rank_labels')
      const documented = beside('consistency', 'consistency_labels')
      return Object.entries(tasks.entries).map(([id, value]): AgentTask => {
        const fields: readonly unknown[] = Array.isArray(value) ? value : [value]
        const scores = mapsOf(judged[id])
        const subtaskLabels = mapsOf(multi[id])
        return {
          id,
          kind: kindOfPath(tasks.path),
          text: String(fields[0] ?? ''),
          subtasks: textsOf(fields[2]),
          ...(scores.length > 0 ? { scores } : {}),
          ...(subtaskLabels.length > 0 ? { subtaskLabels } : {}),
          ...(id in labels ? { labels: mapOf(labels[id]) } : {}),
          ...(id in ranking ? { ranking: mapOf(ranking[id]) } : {}),
          ...(id in documented ? { documented: mapOf(documented[id]) } : {}),
        }
      })
    })
}

/** A file of one-key objects, its lines put together. */
type KeyedFile = { readonly path: string; readonly entries: JsonObject }

/** Whether a record is a line of such a file: one key, which is a task's id. */
export const isKeyedRecord = (record: JsonObject): boolean =>
  Object.keys(record).length === 1 && /^[a-z]+:\d+$/i.test(Object.keys(record)[0] ?? '')

/** Whether a record is a task of the packaged tables. */
export const isPackagedTask = (record: JsonObject): boolean =>
  typeof record.id === 'string' &&
  typeof record.task === 'string' &&
  ('labels' in record || 'ranking_labels' in record)

/** A task of the packaged tables; their maps may stand as JSON text, or as records with empty fields. */
export function packagedTask(path: string, record: JsonObject): AgentTask {
  const subtasks = textsOf(record.ref_subtasks)
  const labels = mapOf(record.labels)
  const ranking = mapOf(record.ranking_labels)
  const named = kindOfPath(path)
  const rubric = textsOf(record.rubric)
  return {
    id: String(record.id),
    kind:
      named !== 'single'
        ? named
        : rubric.length > 0
          ? 'description'
          : subtasks.length > 1
            ? 'multi'
            : 'single',
    text: String(record.task),
    subtasks,
    ...(labels.size > 0 ? { labels } : {}),
    ...(ranking.size > 0 ? { ranking } : {}),
  }
}

/** Whether a record is one judged response: task, agent, score. */
export const isJudgement = (record: JsonObject): boolean =>
  typeof record.task === 'string' && typeof record.agent === 'string' && typeof record.score === 'number'

/** Whether a record is a task that judged responses refer to. */
export const isListedTask = (record: JsonObject): boolean =>
  typeof record.id === 'string' && typeof record.task === 'string' && 'n_judged' in record

/** Single tasks with the responses judged for them, one record each. */
export function tasksWithJudgements(
  tasks: readonly JsonObject[],
  judgements: readonly JsonObject[],
): readonly AgentTask[] {
  const scores = new Map<string, Map<string, number>>()
  for (const { task, agent, score } of judgements) {
    const ofTask = scores.get(String(task)) ?? new Map<string, number>()
    scores.set(String(task), ofTask.set(String(agent), Number(score)))
  }
  return tasks.map((record) => ({
    id: String(record.id),
    kind: 'single',
    text: String(record.task),
    subtasks: [],
    scores: [scores.get(String(record.id)) ?? new Map()],
  }))
}

/** Numbers by agent: of `{agent: 1}`, `{agent: [4, "because"]}`, either as JSON text; entries without a number are left out. */
function mapOf(published: unknown): ByAgent {
  const value = typeof published === 'string' ? parsed(published) : published
  if (!isJsonObject(value)) return new Map()
  return new Map(
    Object.entries(value).flatMap(([agent, entry]): [string, number][] => {
      const number = Array.isArray(entry) ? entry[0] : entry
      return typeof number === 'number' && Number.isFinite(number) ? [[agent, number]] : []
    }),
  )
}

/** One map per subtask: of a map by subtask, or of the one map of a single task. */
function mapsOf(published: JsonValue | undefined): readonly ByAgent[] {
  if (!isJsonObject(published)) return []
  const values = Object.values(published)
  return values.length > 0 && values.every(isJsonObject) ? values.map(mapOf) : [mapOf(published)]
}

function kindOfPath(path: string): TaskKind {
  const words = path.toLowerCase()
  if (words.includes('multi')) return 'multi'
  if (/description|(?:^|[/_-])td(?:[/_.-]|$)/.test(words)) return 'description'
  return /(?:^|[/_-])real(?:[/_.-]|$)/.test(words) ? 'real' : 'single'
}

const suffixes =
  /_?(tasks|judged_labels|ranking_labels|rank_labels|labels_multi|multi_labels|consistency_labels|consistency|labels)$/

const stemOf = (path: string): string => basename(path).replace(/\.(?:jsonl|ndjson|json)(?:\.gz)?$/i, '')
const suffixOf = (path: string): string => suffixes.exec(stemOf(path))?.[1] ?? ''
const prefixOf = (path: string): string =>
  path.slice(0, -basename(path).length) + stemOf(path).replace(suffixes, '')

const textsOf = (published: unknown): readonly string[] => {
  const value =
    typeof published === 'string' && published.trimStart().startsWith('[') ? parsed(published) : published
  return Array.isArray(value) ? value.map(String) : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
