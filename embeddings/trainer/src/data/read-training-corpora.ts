import { basename, dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Problem } from '../../../../src/catalog/ports.ts'
import type { Card } from '../../../../src/domain/card.ts'
import type { JsonObject } from '../../../../src/domain/json.ts'
import { DatasetError } from '../../../../src/evaluation/datasets/dataset.ts'
import { naturalRecords } from '../../../../evals/benchmarks/src/natural-requests.ts'
import { grouped } from '../../../../src/domain/grouped.ts'
import type { TrainingCorpus, TrainingQuery } from './corpus.ts'
import { cardFinder, readClusters } from './find-cards.ts'
import { type FoundSet, findSets, setsBeside } from './find-sets.ts'
import { addHashes, ownQueriesFile, ownQueryFamily, placedOwnQuery, readOwnQueries } from './own-queries.ts'
import { type PlannedSet, planned, refuseUnknownFamilies } from './plan-sets.ts'
import { normalisedText } from './query-text.ts'
import { readAgents, readTools } from './read-cards.ts'
import { pairQuery, readPairs } from './read-pairs.ts'
import { ownQuery, placedQuery, queryRecords, textsOfRecords } from './read-queries.ts'
import type { OnProblem } from './record-lines.ts'
import { isTrainingQuery, type Splits, trainingSplits } from './splits.ts'

type ReadTrainingOptions = {
  /** Families of which nothing is read; their development sets still keep their queries out. @defaultValue none */
  readonly leaveOutFamilies?: readonly string[]
  /** Told of damaged lines, unreadable files and queries without cards. @defaultValue told to nobody */
  readonly onProblem?: OnProblem
  readonly signal?: AbortSignal
  /** @defaultValue the splits published with this package */
  readonly splits?: Splits
  /** Queries of our own for whichever of the cards they were written for are read. @defaultValue 'with' */
  readonly ownQueries?: 'with' | 'without'
  /** @defaultValue `data/queries.jsonl` of this package */
  readonly ownQueriesFile?: string
}

/** What was read for training. */
export type TrainingData = {
  /** In the order of the folders and of the names in them. */
  readonly corpora: readonly TrainingCorpus[]
  /** Per set of queries, what of it is not in the corpora. */
  readonly leftOut: readonly LeftOutQueries[]
  /** How many of our own queries are in the corpora, and how many are not. */
  readonly ownQueries: OwnQueryCounts
  /** Names of the development sets that were found and kept apart, whole or in part. */
  readonly keptApart: readonly string[]
  /** Texts of the queries that are kept apart, normalised: for leaving them out of whatever else is trained on. */
  readonly developmentTexts: ReadonlySet<string>
}

/** How many queries of a set are not trained on, by reason. */
type LeftOutQueries = {
  readonly set: string
  /** Of the set's own development split. */
  readonly forDevelopment: number
  /** Of the training split, but the same text is asked in a development set. */
  readonly alsoInDevelopment: number
  /** Without text, or naming cards that were not read, or both tools and agents. */
  readonly withoutCards: number
}

/** What became of our own queries. All 0 when they are not wanted. */
type OwnQueryCounts = {
  readonly used: number
  /** Their text is asked in a development set. */
  readonly alsoInDevelopment: number
  /** Written for cards that were not read: nothing is wrong. */
  readonly withoutCards: number
}

/**
 * Reads what lies in folders for training: tool sets in the shape of ToolRet, catalogs of agents, queries over
 * either, and tables of queries with the documentations that serve them. Sets that the splits name for development are not read, except for the texts of their queries: a training query
 * with the same text is removed, and an example on a card that is such a text too. So are the texts of the natural requests,
 * which lie with this project. A set that the splits do not name is
 * the user's own and all for training. Queries of our own join the corpora that hold all of their cards.
 *
 * @throws DatasetError when a folder does not exist, a family to leave out is unknown, or no card is left
 * @throws the signal's reason when it is aborted
 */
export async function readTrainingCorpora(
  folders: readonly string[],
  {
    leaveOutFamilies = [],
    onProblem = () => {},
    signal,
    splits = trainingSplits(),
    ownQueries = 'with',
    ownQueriesFile: ownFile = ownQueriesFile,
  }: ReadTrainingOptions = {},
): Promise<TrainingData> {
  const found = await findSets(folders, onProblem)
  const sets = found.map((set): PlannedSet => planned(set, splits))
  refuseUnknownFamilies(leaveOutFamilies, sets, splits)
  const pause = async () => {
    await setImmediate() // so that an abort is seen between two sets
    signal?.throwIfAborted()
  }
  const records = new Map<PlannedSet, readonly JsonObject[]>()
  const pairs = new Map<PlannedSet, readonly Card[]>()
  for (const set of sets) {
    await pause()
    if (set.found.content === 'pairs') {
      const read = await readPairs(set.name, set.found.files, onProblem)
      pairs.set(set, read.cards)
      records.set(set, read.records)
    } else
      records.set(
        set,
        set.use === 'dev' && set.content === 'agents' ? [] : queryRecords(set.found, onProblem),
      )
  }
  const beside = setsBeside(found)
  const keptApart = [...records, ...recordsBeside(beside, splits, onProblem)].map(([{ use }, list]) =>
    list.filter((record) => !isTrainingQuery(use, record)),
  )
  const devTexts = developmentTexts([...keptApart, naturalRecords()])

  const wanted = sets.filter(({ use, family }) => use !== 'dev' && !leaveOutFamilies.includes(family))
  const counts: LeftOutQueries[] = []
  const keep = (
    set: PlannedSet,
    queryOf: (record: JsonObject) => TrainingQuery | undefined,
  ): readonly TrainingQuery[] => {
    const all = records.get(set)!
    const training = all.filter((record) => isTrainingQuery(set.use, record))
    const read = training.flatMap((record) => queryOf(record) ?? [])
    const kept = read.filter(({ text }) => !devTexts.has(normalisedText(text)))
    const lost = training.length - read.length
    if (lost > 0 && leaveOutFamilies.length === 0) onProblem(queriesWithoutCards(set, lost))
    if (all.length > 0) {
      counts.push({
        set: set.name,
        forDevelopment: all.length - training.length,
        alsoInDevelopment: read.length - kept.length,
        withoutCards: lost,
      })
    }
    return kept
  }

  const own =
    ownQueries === 'without' || leaveOutFamilies.includes(ownQueryFamily)
      ? []
      : readOwnQueries(ownFile, onProblem)
  const names = new Map<string, string>()
  const asTrained = (cards: readonly Card[]): readonly Card[] => {
    if (own.length > 0) addHashes(names, cards)
    return withoutQueries(cards, devTexts)
  }
  const corpora: TrainingCorpus[] = []
  for (const set of wanted) {
    if (set.found.content !== 'tools') continue
    await pause()
    const cards = asTrained(readTools(set.name, set.found.folder, onProblem))
    const byId = new Map(cards.map((card) => [card.id, card]))
    const queries = keep(set, (record) => ownQuery(record, set.name, byId))
    if (cards.length > 0) corpora.push({ name: set.name, family: set.family, cards, queries })
  }
  for (const set of wanted) {
    const cards = asTrained(pairs.get(set) ?? [])
    if (cards.length === 0) continue
    await pause()
    corpora.push({ name: set.name, family: set.family, cards, queries: keep(set, pairQuery) })
  }
  const catalogs = grouped(
    wanted.flatMap((set) => (set.found.content === 'agents' ? [{ ...set, file: set.found.file }] : [])),
    ({ file, family }) => `${dirname(file)}\n${family}`,
  )
  const clusters: (readonly string[])[] = []
  for (const group of catalogs.values()) {
    await pause()
    const { file, family } = group[0]!
    const cards = group.flatMap((set) => {
      const read = asTrained(readAgents(set.name, set.file, onProblem))
      return set.examplesAreQueries ? read.map(withoutExamples) : read
    })
    clusters.push(...readClusters(file, onProblem))
    if (cards.length > 0) corpora.push({ name: basename(dirname(file)), family, cards, queries: [] })
  }

  const findCards = cardFinder(corpora, clusters)
  const placed = corpora.map(({ queries }) => [...queries])
  for (const set of wanted) {
    if (set.content !== 'queries') continue
    await pause()
    const corpusOf = new Map<TrainingQuery, number>()
    const kept = keep(set, (record) => {
      const found = placedQuery(record, set.name, findCards)
      if (found !== undefined) corpusOf.set(found.query, found.corpus)
      return found?.query
    })
    for (const query of kept) placed[corpusOf.get(query)!]!.push(query)
  }
  const placedOwn = own.flatMap((query) => placedOwnQuery(query, names, findCards) ?? [])
  const keptOwn = placedOwn.filter(({ query }) => !devTexts.has(normalisedText(query.text)))
  for (const { corpus, query } of keptOwn) placed[corpus]!.push(query)
  if (corpora.length === 0) {
    throw new DatasetError(
      `${folders.join(', ')}: nothing is left to train on.`,
      'Give folders with tool sets or catalogs of agents that are not development sets.',
    )
  }
  return {
    corpora: withNamesOfTheirOwn(corpora.map((corpus, index) => ({ ...corpus, queries: placed[index]! }))),
    leftOut: counts,
    ownQueries: {
      used: keptOwn.length,
      alsoInDevelopment: placedOwn.length - keptOwn.length,
      withoutCards: own.length - placedOwn.length,
    },
    keptApart: sets.filter(({ use }) => use !== 'train').map(({ name }) => name),
    developmentTexts: devTexts,
  }
}

const queriesWithoutCards = ({ found, name }: PlannedSet, count: number): Problem => ({
  severity: 'warning',
  file: filesOf(found),
  message: `${count} ${count === 1 ? 'query' : 'queries'} of ${name} left out: no text, or cards that were not read`,
  remedy: 'Give the folder of the cards too; each query needs an id, a text, and cards of one collection.',
})

const filesOf = (found: FoundSet): string => {
  if (found.content === 'tools') return found.folder
  return found.content === 'pairs' ? found.files.join(', ') : found.file
}

const recordsBeside = (beside: readonly FoundSet[], splits: Splits, onProblem: OnProblem) =>
  beside
    .map((set) => planned(set, splits))
    .filter(({ use }) => use !== 'train')
    .map((set) => [set, queryRecords(set.found, onProblem)] as const)

const developmentTexts = (lists: readonly (readonly JsonObject[])[]): ReadonlySet<string> =>
  new Set(
    lists
      .flatMap(textsOfRecords)
      .map(normalisedText)
      .filter((text) => text !== ''),
  )

const withoutExamples = (card: Card): Card => ({ ...card, examples: [] })

/** The cards without examples that are queries of a development set. */
const withoutQueries = (cards: readonly Card[], devTexts: ReadonlySet<string>): readonly Card[] =>
  cards.map((card) => {
    const examples = card.examples.filter((example) => !devTexts.has(normalisedText(example)))
    return examples.length === card.examples.length ? card : { ...card, examples }
  })

/** Of corpora with one name the later ones are told apart as `name~2`, `name~3`. */
function withNamesOfTheirOwn(corpora: readonly TrainingCorpus[]): readonly TrainingCorpus[] {
  const uses = new Map<string, number>()
  return corpora.map((corpus) => {
    const use = (uses.get(corpus.name) ?? 0) + 1
    uses.set(corpus.name, use)
    return use === 1 ? corpus : { ...corpus, name: `${corpus.name}~${use}` }
  })
}
