import type { DownloadOptions } from './datasets/dataset.ts'
import type { Comparison, EvaluationRun, RunTiming } from './evaluation-run.ts'
import type { EvaluationSettings, EvaluationWatch } from './evaluation-settings.ts'
import type { KeptRun, RunId, WholeRun } from './runs/run-store.ts'
import type { SearchFinding } from './self/findings.ts'

/** A dataset that may be asked for by name. */
export type KnownDataset = {
  readonly name: string
  /** `bundled` comes with Audition, `registered` was allowed by the user, `self` is the user's own index. */
  readonly kind: 'bundled' | 'registered' | 'self'
  readonly describes: string
}

/** A dataset that may be asked for by name, and nothing else. */
export type DatasetName = { readonly kind: 'known'; readonly name: string }

/** Any dataset: for a person who says where it lies, never for a model. */
export type DatasetPlace = {
  readonly kind: 'place'
  /** A name on the list, the name of a benchmark, or a path. */
  readonly place: string
  /** Where the benchmark of that name lies; absent: where its download is kept. */
  readonly from?: string
  /** Present: fetch what is missing first. */
  readonly download?: Omit<DownloadOptions, 'fetch'>
}

/** What is to be run. */
export type EvaluationRequest = EvaluationSettings &
  EvaluationWatch & {
    readonly dataset: DatasetName | DatasetPlace
    /** A kept run of the same dataset by name, `latest`, or (only for `place`) the path of a run file. */
    readonly compare?: string
    /** Rerankers to set beside each other, as AUDITION_RERANKER names one, which comes first where it is set. */
    readonly rerankers?: readonly string[]
    /** Hears at once what makes the figures doubtful, such as expected ids that the index has not; a note of the run says it too. */
    readonly onWarning?: (warning: string) => void
  }

/** What came of a request. */
export type EvaluationResult = MeasuredResult | UnaskedResult

/** A run that was made, and what it is compared with. */
export type MeasuredResult = {
  readonly kind: 'measured'
  /** Where the run lies; `folder` is absolute. Absent when it could not be written. */
  readonly kept?: { readonly id: RunId; readonly folder: string; readonly report: 'kept' | 'missing' }
  readonly run: EvaluationRun
  readonly timing: RunTiming
  /** The report, self-contained HTML. */
  readonly page: string
  /** What failed after the queries were asked: to compare the run, to keep it. Its figures hold. */
  readonly failures: readonly Error[]
  readonly baseline?: { readonly run: EvaluationRun; readonly timing?: RunTiming }
  readonly comparison?: Comparison
  /** Of the user's own index: what keeps its cards from being found, worst first. */
  readonly findings?: readonly SearchFinding[]
}

/** The user's own index, when no query can be made of its cards: what the cards alone tell. Nothing is kept. */
export type UnaskedResult = {
  readonly kind: 'unasked'
  readonly dataset: EvaluationRun['dataset']
  /** What keeps the cards from being found, worst first. */
  readonly findings: readonly SearchFinding[]
}

/** Datasets to run, and the runs that were kept. */
export type Evaluations = {
  /** The list of datasets that may be asked for by name: bundled ones first, then the user's. */
  datasets(): Promise<readonly KnownDataset[]>
  /**
   * Puts a dataset on the list after reading it once.
   *
   * @param path - absolute path of a file or folder
   * @returns how many parts and queries it has
   * @throws DatasetError when the name is not fit, is taken by a bundled one, or nothing usable is there
   */
  register(name: string, path: string): Promise<{ readonly parts: number; readonly queries: number }>
  /** @returns whether there was one to forget */
  unregister(name: string): Promise<boolean>
  /**
   * Runs a dataset and keeps the run.
   *
   * @throws DatasetError (SettingError for `choices` and `name`), RunFileError, UnwritableError: before anything is asked
   */
  run(request: EvaluationRequest): Promise<EvaluationResult>
  /** Kept runs, newest first. */
  runs(dataset?: string): Promise<readonly KeptRun[]>
  /** @throws RunFileError */
  read(id: RunId): Promise<WholeRun>
  /** The page that was made with a run, self-contained HTML. @throws RunFileError */
  report(id: RunId): Promise<string>
}
