import type { Card, CardKind } from '../../domain/card.ts'
import type { Grades } from '../../domain/ranking.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import type { PublishedRow } from '../evaluation-run.ts'

/** A judged query of a dataset. Ids of candidates are card ids of the part's own cards. */
export type JudgedQuery = {
  /** Unique within the dataset. */
  readonly id: string
  readonly text: string
  /** Context written with the answer in view (ToolRet); used only when asked for. */
  readonly instruction?: string
  /** Judged candidates; empty when nothing in the corpus serves (then the right answer is "no good match"). */
  readonly grades: Grades
  /**
   * For Completeness: one list per thing that is needed, any member of which serves. Absent: every relevant candidate
   * is needed.
   */
  readonly needs?: readonly (readonly string[])[]
  /** When present, only these candidates are ranked (reranking protocols). */
  readonly pool?: readonly string[]
  /** `ranked`: the pool is a first stage's ranking, best first, which stands behind what is ranked anew. @defaultValue 'unordered' */
  readonly poolOrder?: 'ranked' | 'unordered'
  /** Candidates that are left out of the search, as if the corpus did not hold them. */
  readonly exclude?: readonly string[]
  /** A label to break results down by, for example `multi-step` or a language. */
  readonly group?: string
}

/** Whether a query can be measured by its ranking at all. */
export const isAnswerable = ({ grades }: JudgedQuery): boolean =>
  [...grades.values()].some((grade) => grade > 0)

/** One set of a benchmark: a corpus and queries over it. */
export type DatasetPart = {
  /** For example `apigen`. Unique within the dataset. */
  readonly name: string
  /** For category averages, for example `web`. */
  readonly category?: string
  /** What is searched. */
  readonly kind: CardKind
  /**
   * The part's own corpus. Parts over one catalog hold the same cards (the same array where they can): an equal id is
   * the same card in all parts. Empty when the queries are asked of the user's index.
   */
  readonly cards: readonly Card[]
  /** Empty for tools that only join the corpus of the others. */
  readonly queries: readonly JudgedQuery[]
  /**
   * The part whose requests these are, told in another way, for example in another language: a note of the run tells this
   * part's headline as a share of that one's.
   */
  readonly retells?: string
}

/** Which cards serve alike under different ids. */
export type Equivalence = {
  /** In words, for the report: `cards with the same name and description`. */
  readonly describes: string
  /** A key that copies share; undefined for a card without copies. */
  classOf(card: Card): string | undefined
}

/** What came of running a candidate on a query: one line of a track record. */
export type JudgedRun = {
  readonly query: string
  /** Card id; what stands before the slash is its source. */
  readonly card: string
  /** Tells versions of the card apart. */
  readonly cardHash: string
  /** As a verdict's: 4 and 5 are success. */
  readonly grade: 1 | 2 | 3 | 4 | 5
}

/** What is known of candidates from running them on other tasks. */
export type ProbedCandidates = {
  /** Questions and answers by card id, the newest first: for a reranker's text. */
  readonly pairs: ReadonlyMap<string, readonly { readonly question: string; readonly answer: string }[]>
  /** Graded runs, for a track record; `text` is the task. */
  readonly runs: readonly (JudgedRun & { readonly text: string })[]
  /** Ids of tasks (`query` of a run) of which nothing may be known when a query is asked, as it holds them. */
  hiddenFrom(query: JudgedQuery): ReadonlySet<string>
}

/** Rows of a publication, and by which of them it shows whether its tasks are those of a run. */
export type PublishedTable = {
  /** For example `AgentSearchBench, 2026`. */
  readonly source: string
  /** Part it is of; absent: the mean over parts or categories. */
  readonly part?: string
  /** The run must be made so; others differ in protocol. */
  readonly instruction?: 'with' | 'without'
  readonly corpus?: 'joined'
  /** Name of the published row that must equal ours of a random order, or of the first stage that was given. */
  readonly anchor: { readonly of: 'random order' | 'first stage'; readonly row: string }
  readonly rows: readonly PublishedRow[]
}

/** A benchmark, ready to be run. */
export type Dataset = {
  readonly name: string
  /** Where it comes from, which version, how it was read: for the report. */
  readonly origin: string
  readonly parts: readonly DatasetPart[]
  /** Measures of the headline, best known first, for example `ndcg@10`. */
  readonly headline: readonly string[]
  /** What a reader should know before comparing: dropped queries, repairs. */
  readonly notes: readonly string[]
  /** The benchmark's own classes of copies. @defaultValue cards with the same text */
  readonly equivalence?: Equivalence
  /**
   * Present: nothing is searched. The candidates of each query are those that were run on it, put in order by the track record
   * of all other queries.
   */
  readonly judgedRuns?: readonly JudgedRun[]
  /** With `judgedRuns`: what puts the candidates in order; a key of `recordRankers`. @defaultValue 'record' */
  readonly recordOrder?: string
  /** Where candidates differ by where they run: of a card id. */
  readonly platformOf?: (id: string) => string
  /** Present: rerankers are measured with and without what is known of the candidates from running them. */
  readonly probed?: ProbedCandidates
  /** Of reranking its candidates. */
  readonly published?: readonly PublishedTable[]
}

/** A choice that a benchmark leaves open, for example how its grades are made. */
export type DatasetSetting = {
  readonly name: string
  readonly describes: string
  /** What it may be; the first is the default. */
  readonly values: readonly string[]
}

/** What was chosen, by the name of the setting; an absent one has its default. */
export type SettingValues = { readonly [name: string]: string }

/**
 * How to read one benchmark. Recipes read what lies in a folder; they never download unless `download` is called for.
 */
export type DatasetRecipe = {
  /** The name on the command line, for example `toolret`. */
  readonly name: string
  readonly describes: string
  /** Absent: there is nothing to choose. */
  readonly settings?: readonly DatasetSetting[]
  /** Whether a folder or file holds this benchmark. Cheap. */
  recognises(path: string): boolean
  /**
   * @param only - names of parts to read; empty reads all
   * @throws DatasetError when nothing usable is there; SettingError when there is no such setting, or no such value of it
   */
  read(path: string, only: readonly string[], settings?: SettingValues): Promise<Dataset>
  /**
   * Fetches it into a folder from where it is published. Absent where nobody publishes it, or only for a person to get.
   *
   * @throws DatasetError that says what failed and what to do
   */
  readonly download?: (folder: string, options: DownloadOptions) => Promise<void>
  /** What a person has to do to get it, where it is published and cannot be fetched. */
  readonly instructions?: string
}

/** A dataset cannot be read. The message says where and what; the remedy what to do. */
export class DatasetError extends RemedyError {
  override readonly name: string = 'DatasetError'
}

/** The caller chose a setting that the dataset does not have, or a value that the setting cannot have. */
export class SettingError extends DatasetError {
  override readonly name = 'SettingError'
}

/** How downloads are made. Everything has a default. */
export type DownloadOptions = {
  /** In place of the public hubs: mirrors, and servers of tests. Without a slash at the end. */
  readonly addresses?: { readonly huggingface?: string; readonly github?: string }
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: DownloadProgress) => void
  /** Makes the requests, and refuses those that must not be made. */
  readonly fetch: typeof globalThis.fetch
  /** Longest silence of a server, in milliseconds. @defaultValue 60000 */
  readonly idleTimeoutMs?: number
  /** Wait before the second attempt, in milliseconds; doubled for each further one. @defaultValue 1000 */
  readonly retryDelayMs?: number
}

/** How far a download is. */
export type DownloadProgress = {
  /** The file that made progress, relative to the benchmark's folder. */
  readonly file: string
  readonly files: number
  readonly filesDone: number
  readonly receivedBytes: number
  /** Null while the size of some file is not known. */
  readonly totalBytes: number | null
}

/**
 * The values of all settings of a dataset, defaults filled in.
 *
 * @param dataset - its name, for the message
 * @throws SettingError when a value is not allowed or there is no such setting
 */
export function chosenSettings(
  dataset: string,
  settings: readonly DatasetSetting[],
  given: SettingValues = {},
): ReadonlyMap<string, string> {
  for (const name of Object.keys(given)) {
    if (settings.some((setting) => setting.name === name)) continue
    const known = settings.map((setting) => setting.name).join(', ')
    throw new SettingError(
      `${dataset} has no setting "${name}".`,
      known === '' ? 'Leave it out: it takes none.' : `Use one of: ${known}.`,
    )
  }
  return new Map(
    settings.map(({ name, values }) => {
      const value = given[name] ?? values[0]!
      if (values.includes(value)) return [name, value]
      throw new SettingError(
        `${dataset}: setting "${name}" cannot be "${value}".`,
        `Use one of: ${values.join(', ')}.`,
      )
    }),
  )
}

/**
 * Completes a dataset: query ids that two parts share get their part's name in front, and a dataset without a query is
 * refused.
 *
 * @param place - the folder or file, for the error
 * @throws DatasetError when no part has a query
 */
export function assembled(dataset: Dataset, place: string): Dataset {
  if (dataset.parts.every(({ queries }) => queries.length === 0)) {
    throw new DatasetError(
      `${place}: no judged query was found for ${dataset.name}.`,
      'Check the folder, and the names of the parts if some were named.',
    )
  }
  return { ...dataset, parts: withUniqueQueryIds(dataset.parts) }
}

function withUniqueQueryIds(parts: readonly DatasetPart[]): readonly DatasetPart[] {
  const uses = new Map<string, number>()
  for (const { id } of parts.flatMap(({ queries }) => queries)) uses.set(id, (uses.get(id) ?? 0) + 1)
  if ([...uses.values()].every((count) => count === 1)) return parts
  return parts.map((part) => {
    const seen = new Map<string, number>()
    const queries = part.queries.map((query) => {
      if (uses.get(query.id) === 1) return query
      const id = `${part.name}/${query.id}`
      const copy = (seen.get(id) ?? 0) + 1
      seen.set(id, copy)
      return { ...query, id: copy === 1 ? id : `${id}~${copy}` }
    })
    return { ...part, queries }
  })
}

/**
 * The names among these that were asked for; all when none was.
 *
 * @throws SettingError when one is unknown
 */
export function wantedNames(
  recipe: string,
  names: readonly string[],
  only: readonly string[],
): readonly string[] {
  const unknown = only.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    throw new SettingError(
      `${recipe} has no part ${unknown.map((name) => `"${name}"`).join(', ')} here.`,
      names.length === 0 ? 'Check the folder.' : `Parts: ${names.join(', ')}.`,
    )
  }
  return only.length === 0 ? names : names.filter((name) => only.includes(name))
}

/** A note when something was counted: none for 0. `1 query was …`, `3 queries were …`. */
export const counted = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`]
