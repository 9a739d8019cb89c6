import { compareRuns } from '../../src/evaluation/runs/compare-runs.ts'
import { evaluate } from '../../src/evaluation/evaluate.ts'
import type {
  EvaluationRequest,
  Evaluations,
  KnownDataset,
  MeasuredResult,
  UnaskedResult,
} from '../../src/evaluation/evaluations.ts'
import { RunFileError, UnknownRunError } from '../../src/evaluation/runs/run-file.ts'
import { fileName } from '../../src/evaluation/runs/run-store.ts'
import type { SearchFinding } from '../../src/evaluation/self/findings.ts'
import { smallDataset } from '../evaluation/small-dataset.ts'

/** What a test sees besides the answers. */
export type FakeEvaluations = Evaluations & {
  readonly requests: EvaluationRequest[]
  readonly registered: Map<string, string>
}

/** What a test may set. */
export type FakeEvaluationsOptions = {
  /** Runs wait for it before they search, and end early when they are stopped. */
  readonly gate?: Promise<void>
  /** Every run fails so. */
  readonly failure?: Error
  /** Findings of `self`. */
  readonly findings?: readonly SearchFinding[]
  /** What every run answers. */
  readonly unasked?: UnaskedResult
  /** What failed after every run was made. */
  readonly failures?: readonly Error[]
  /** What became of every run; absent: it is kept with its report. */
  readonly keeps?: 'without report' | 'nothing'
}

type KeptResult = MeasuredResult & Required<Pick<MeasuredResult, 'kept'>>

/** Evaluations of one small dataset under any listed name, by the real search; runs are kept in memory. */
export function fakeEvaluations(options: FakeEvaluationsOptions = {}): FakeEvaluations {
  const requests: EvaluationRequest[] = []
  const registered = new Map([['team', '/home/someone/team.jsonl']])
  const kept: KeptResult[] = []
  const known = (id: { readonly dataset: string; readonly run: string }): KeptResult => {
    const found = kept.findLast(({ kept: { id: own } }) => own.dataset === id.dataset && own.run === id.run)
    if (found === undefined)
      throw new RunFileError(`No run "${id.run}" of ${id.dataset} is kept.`, 'Kept: none.')
    return found
  }
  return {
    requests,
    registered,
    datasets: async () => [
      { name: 'bundled', kind: 'bundled', describes: 'made for tests' },
      { name: 'self', kind: 'self', describes: 'your own index' },
      ...[...registered].map(([name, describes]): KnownDataset => ({ name, kind: 'registered', describes })),
    ],
    async register(name, path) {
      registered.set(name, path)
      return { parts: 1, queries: 3 }
    },
    unregister: async (name) => registered.delete(name),
    async run(request) {
      requests.push(request)
      const { dataset } = request
      const name = dataset.kind === 'known' ? dataset.name : dataset.place
      request.onProgress?.({ part: 'sky', done: 0, total: 6, secondsLeft: null })
      await opened(options.gate, request.signal)
      if (options.failure !== undefined) throw options.failure
      if (options.unasked !== undefined) return options.unasked
      const before = kept.findLast((one) => one.kept.id.dataset === name)
      const isKept = request.compare === 'latest' || before?.kept.id.run === request.compare
      if (request.compare !== undefined && (before === undefined || !isKept)) {
        const runs = before === undefined ? [] : [before.kept.id.run]
        throw new UnknownRunError(
          { run: request.compare, dataset: name, kept: runs },
          `Run \`audition evaluate ${name}\` first.`,
        )
      }
      const made = await evaluate({ ...smallDataset, name }, request, { ...request, model: null })
      const id = { dataset: name, run: fileName(made.run.name) }
      const folder = `/home/someone/evaluations/${id.dataset}/${id.run}`
      const result: KeptResult = {
        kind: 'measured',
        kept: { id, folder, report: options.keeps === 'without report' ? 'missing' : 'kept' },
        failures: options.failures ?? [],
        ...made,
        page: `<!doctype html><title>${made.run.name}</title>`,
        ...(request.compare === undefined ? {} : { comparison: compareRuns(before!.run, made.run) }),
        ...(name === 'self' ? { findings: options.findings ?? [] } : {}),
      }
      if (options.keeps === 'nothing') {
        const { kept: _, ...unkept } = result
        return unkept
      }
      kept.push(result)
      return result
    },
    runs: async (dataset) =>
      kept
        .filter((one) => dataset === undefined || one.kept.id.dataset === dataset)
        .map(({ kept: { id }, run, timing }) => ({
          ...id,
          name: run.name,
          equivalence: run.settings.equivalence,
          startedAt: timing.startedAt,
          queries: run.outcomes.length,
          macro: run.macro,
          searchMs: timing.searchMs,
        }))
        .reverse(),
    async read(id) {
      const { run, timing } = known(id)
      return { id, run, timing }
    },
    report: async (id) => known(id).page,
  }
}

/** Waits for the gate; rejects when the signal comes first. */
function opened(gate: Promise<void> | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (gate === undefined) return Promise.resolve()
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
    gate.then(resolve)
  })
}
