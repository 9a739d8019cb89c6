import { setImmediate as nextTurn } from 'node:timers/promises'
import { join } from 'node:path'
import { countOf } from '../domain/text/count-of.ts'
import type { CrossEncoderStage } from '../retrieval/rank/cross-encoder.ts'
import { sourcesStandingBack, standingsIn } from '../retrieval/defences/sources-standing-back.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../retrieval/ports.ts'
import { baselineOf } from './baseline.ts'
import { chosenSettings, type Dataset, DatasetError, SettingError } from './datasets/dataset.ts'
import { type Evaluated, evaluate } from './evaluate.ts'
import type { EvaluationRequest, EvaluationResult, Evaluations, KnownDataset } from './evaluations.ts'
import { everyCard } from './equivalence.ts'
import { keepRun } from './keep-run.ts'
import { noteMissingIds } from './datasets/adjusted.ts'
import type { EvaluationContext } from './evaluation-settings.ts'
import { evaluateReranking, isReranking } from './evaluate-reranking.ts'
import { type Benchmarks, readDataset } from './datasets/recipes.ts'
import { registeredDatasets } from './datasets/registered-datasets.ts'
import { fileName, latest, type RunStore, runStore } from './runs/run-store.ts'
import { selfFindings } from './self/findings.ts'
import { selfDataset } from './self/self-dataset.ts'
import { defined } from '../domain/defined.ts'

/** What evaluations need of the rest of Audition. */
export type EvaluationDependencies = {
  /** Folder of runs and of the list of registered datasets. */
  readonly folder: string
  /** Folder of `evals` of this package. */
  readonly bundledFolder: string
  /** Published benchmarks, loaded when a dataset is first read. */
  benchmarks(): Promise<Benchmarks>
  /** Folder for downloads. */
  readonly downloads: string
  /** Makes the requests of downloads, and refuses those that must not be made. */
  readonly fetch: typeof globalThis.fetch
  openModel(): Promise<EmbeddingModel | null>
  /** Whether that model is the one that ships; see `EvaluationContext`. */
  readonly modelIs: 'shipped' | 'chosen'
  /** Null when no cross-encoder is configured. */
  openCrossEncoder(): Promise<CrossEncoderStage | null>
  /**
   * The configured one, if any, then those that are named, each once; to be closed after use.
   *
   * @throws RemedyError when one cannot be opened
   */
  openRerankers(specs: readonly string[]): Promise<readonly CrossEncoderStage[]>
  /**
   * Lends the newest snapshot of the index, with the model of its vectors; null without vectors.
   *
   * @throws NoIndexError when nothing was ever indexed
   */
  onIndex<T>(use: (index: CatalogSnapshot, model: EmbeddingModel | null) => Promise<T>): Promise<T>
}

/** Name of the dataset that is made of the user's own index. */
const ownIndex = 'self'

/** The datasets that may be asked for by name, and how any is read. */
function datasetList(dependencies: EvaluationDependencies) {
  const registered = registeredDatasets(join(dependencies.folder, 'datasets.json'))
  const bundled = [
    {
      name: 'bundled',
      path: join(dependencies.bundledFolder, 'bundled'),
      describes: 'our own queries over the bundled catalog',
    },
  ]
  const isOurs = (wanted: string): boolean => bundled.some(({ name }) => name === wanted)
  async function all(): Promise<readonly KnownDataset[]> {
    return [
      ...bundled.map(({ name, describes }) => ({ name, kind: 'bundled' as const, describes })),
      { name: ownIndex, kind: 'self', describes: 'known-item queries made of your own index' },
      ...(await registered.all()).map(({ name, path }) => ({
        name,
        kind: 'registered' as const,
        describes: path,
      })),
    ]
  }
  /** A dataset, and where it lies: ours are known by name, wherever this package is. */
  async function read({
    dataset: asked,
    parts = [],
    choices,
  }: EvaluationRequest): Promise<{ readonly dataset: Dataset; readonly place: string }> {
    const benchmarks = await dependencies.benchmarks()
    const options = { benchmarks, only: parts, ...(choices === undefined ? {} : { settings: choices }) }
    const wanted = asked.kind === 'known' ? asked.name : asked.place
    const listed = [...bundled, ...(await registered.all())].find(({ name }) => name === wanted)?.path
    if (listed !== undefined) {
      const dataset = { ...(await readDataset(listed, options)), name: wanted }
      return { dataset, place: isOurs(wanted) ? wanted : listed }
    }
    if (asked.kind === 'known') {
      const names = (await all()).map(({ name }) => name)
      throw new DatasetError(`No dataset is called "${wanted}".`, `There are ${names.join(', ')}.`)
    }
    const { from, download } = asked
    const dataset = await readDataset(wanted, {
      ...options,
      downloads: dependencies.downloads,
      ...defined({ from, download: download && { fetch: dependencies.fetch, ...download } }),
    })
    return { dataset, place: from ?? wanted }
  }
  return { registered, isOurs, all, read }
}

/** Opens {@link Evaluations} over a folder; nothing is read or made before the first call. */
export function openEvaluations(dependencies: EvaluationDependencies): Evaluations {
  const store = runStore(join(dependencies.folder, 'evaluations'))
  const { registered, isOurs, all, read } = datasetList(dependencies)
  const isOwnIndex = ({ dataset }: EvaluationRequest): boolean =>
    (dataset.kind === 'known' ? dataset.name : dataset.place) === ownIndex
  return {
    datasets: all,
    async register(name, path) {
      if (name === ownIndex || isOurs(name)) {
        throw new DatasetError(`"${name}" is a dataset of Audition's own.`, 'Take another name.')
      }
      const { parts } = await readDataset(path, { benchmarks: await dependencies.benchmarks() })
      await registered.add({ name, path })
      return { parts: parts.length, queries: parts.reduce((sum, { queries }) => sum + queries.length, 0) }
    },
    unregister: (name) => registered.remove(name),
    async run(request) {
      requireName(request)
      await store.requireWritable()
      if (isOwnIndex(request)) {
        chosenSettings(ownIndex, [], request.choices)
        return ownIndexRun(request, store, dependencies)
      }
      const { dataset, place } = await read(request)
      const baselineFor = await baselineOf(request, { name: dataset.name, place }, store)
      const { run, timing } = await measured(dataset, request, dependencies)
      return keepRun({ run, timing, place, baselineFor, signal: request.signal }, store)
    },
    runs: (dataset) => store.list(dataset),
    read: (id) => store.read(id),
    report: (id) => store.report(id),
  }
}

/** Asks a dataset; where its candidates are given, or rerankers are named, of one ranking after another. */
async function measured(
  dataset: Dataset,
  request: EvaluationRequest,
  dependencies: EvaluationDependencies,
): Promise<Evaluated> {
  const { rerankers: specs } = request
  const named = specs && (await dependencies.openRerankers(specs))
  try {
    const configured = named === undefined ? await crossEncoderFor(request, dependencies) : null
    const rerankers = named ?? (configured === null ? [] : [configured])
    const ask = (asked: Dataset, context: Pick<EvaluationContext, 'model' | 'index'>): Promise<Evaluated> => {
      const whole = { ...request, modelIs: dependencies.modelIs, ...context }
      return isReranking(asked, request, named)
        ? evaluateReranking(asked, request, { ...whole, rerankers })
        : evaluate(asked, request, { ...whole, crossEncoder: configured })
    }
    return await (asksIndex(request, dataset)
      ? dependencies.onIndex((index, model) => {
          const noted = noteMissingIds(dataset, index)
          if (noted !== dataset) request.onWarning?.(noted.notes[0]!)
          return ask(noted, { index, model })
        })
      : ask(dataset, { model: await modelFor(request, dependencies) }))
  } finally {
    await Promise.all((named ?? []).map(({ encoder }) => encoder.close()))
  }
}

/** Whether queries go to the user's index: where that is wanted, or they bring no cards. */
const asksIndex = ({ corpus }: EvaluationRequest, { judgedRuns, parts }: Dataset): boolean =>
  corpus === 'index' ||
  (corpus === undefined && judgedRuns === undefined && parts.every(({ cards }) => cards.length === 0))

/** @throws SettingError for a name that means another run when it is compared with */
function requireName({ name }: EvaluationRequest): void {
  if (name === undefined || fileName(name) !== latest) return
  throw new SettingError(
    `"${name}" is no name for a run: to compare with "${latest}" means with the newest.`,
    'Take another name.',
  )
}

/** A model takes seconds to open: only when it has a say. */
const modelFor = async (
  { ranker, givenRun }: EvaluationRequest,
  { openModel }: EvaluationDependencies,
): Promise<EmbeddingModel | null> => (ranker === 'lexical' || givenRun !== undefined ? null : openModel())

const crossEncoderFor = async (
  { ranker = 'auto' }: EvaluationRequest,
  { openCrossEncoder }: EvaluationDependencies,
): Promise<CrossEncoderStage | null> =>
  ranker === 'auto' || ranker === 'cross-encoder' ? openCrossEncoder() : null

/** Measures the user's index by queries made of its own cards, and says what keeps cards from being found. */
const ownIndexRun = (
  request: EvaluationRequest,
  store: RunStore,
  dependencies: EvaluationDependencies,
): Promise<EvaluationResult> =>
  dependencies.onIndex(async (index, model) => {
    const cards = await everyCard(index)
    const against = sourcesStandingBack(index.indexes)
    await nextTurn() // comparing all cards with each other is work of the processor alone, as are findings and the report
    const whole = selfDataset(cards, `your index, ${countOf(cards.length, 'card')}`)
    if (whole.parts.length === 0 && cards.length > 0) {
      const { name, origin, notes } = whole
      return {
        kind: 'unasked',
        dataset: { name, origin, notes },
        findings: selfFindings(cards, { outcomes: [] }, against),
      }
    }
    const parts = whole.parts.filter(({ name }) => !request.parts?.length || request.parts.includes(name))
    const baselineFor = await baselineOf(request, { name: whole.name, place: ownIndex }, store)
    // Each part leaves out of its own cards what it asks for: joined, they would give it away.
    const crossEncoder = await crossEncoderFor(request, dependencies)
    const own = { ...request, corpus: 'own' } as const
    const { modelIs } = dependencies
    const standingOf = standingsIn(index.indexes)
    const context = { ...request, model, modelIs, crossEncoder, standingOf }
    const made = await evaluate({ ...whole, parts }, own, context)
    await nextTurn()
    const findings = selfFindings(cards, made.run, against)
    await nextTurn()
    return keepRun({ ...made, place: ownIndex, baselineFor, findings, signal: request.signal }, store)
  })
