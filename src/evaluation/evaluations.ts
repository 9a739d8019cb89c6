import type { Comparison, EvaluationRun, RunTiming } from './evaluation-run.ts'
import type { EvaluationSettings, EvaluationWatch } from './evaluation-settings.ts'
import type { KeptRun, RunId, WholeRun } from './run-store.ts'

/** A dataset that may be asked for by name. */
export type KnownDataset = {
  readonly name: string
  /** `bundled` comes with Audition, `registered` was allowed by the user, `self` is the user's own index. */
  readonly kind: 'bundled' | 'registered' | 'self'
  readonly describes: string
}

/** What is to be run. */
export type EvaluationRequest = EvaluationSettings &
  EvaluationWatch & {
    /** `known` reads only datasets on the list of {@link Evaluations.datasets}; `place` any name, file or folder. */
    readonly dataset:
      | { readonly kind: 'known'; readonly name: string }
      | { readonly kind: 'place'; readonly place: string }
    /** Names of parts; empty takes all. */
    readonly parts?: readonly string[]
    /** A kept run of the same dataset by name, `latest`, or (only for `place`) the path of a run file. */
    readonly compare?: string
    /** Fetch the dataset from where it is published when it is not here. @defaultValue false */
    readonly download?: boolean
  }

/** A run that was made, and what it is compared with. */
export type EvaluationResult = {
  readonly id: RunId
  /** Absolute folder of the run's files. */
  readonly folder: string
  readonly run: EvaluationRun
  readonly timing: RunTiming
  readonly baseline?: { readonly run: EvaluationRun; readonly timing?: RunTiming }
  readonly comparison?: Comparison
}

/** Datasets to run, and the runs that were kept. */
export type Evaluations = {
  /** The list of datasets that may be asked for by name: bundled ones first, then the user's. */
  datasets(): Promise<readonly KnownDataset[]>
  /**
   * Puts a dataset on the list after reading it once.
   *
   * @param path - absolute path of a file or folder
   * @throws DatasetError when the name is not fit, is taken by a bundled one, or nothing usable is there
   */
  register(name: string, path: string): Promise<void>
  /** @returns whether there was one to forget */
  unregister(name: string): Promise<boolean>
  /** Runs a dataset and keeps the run. @throws DatasetError, RunFileError */
  run(request: EvaluationRequest): Promise<EvaluationResult>
  /** Kept runs, newest first. */
  runs(dataset?: string): Promise<readonly KeptRun[]>
  /** @throws RunFileError */
  read(id: RunId): Promise<WholeRun>
  /** The page of a run, beside the newest other run of its dataset or the one that is named. @throws RunFileError */
  report(id: RunId, compare?: string): Promise<string>
}
