import type { ComposeOptions, Composition } from '../assembling/composition.ts'
import type { Harvest, McpServerEntry } from '../catalog/ports.ts'
import type { Card, CardKind } from '../domain/card.ts'
import type { Evaluations } from '../evaluation/evaluations.ts'
import type { Findability, FindabilityRequest } from '../evaluation/findability/findability.ts'
import type { IndexOptions, IndexReport } from '../indexing/index-report.ts'
import type { CompareOptions, ModelComparison } from '../models/compare-models.ts'
import type { Calling } from '../probing/calls/calling.ts'
import type { JudgePanel } from '../probing/judges/combine-judges.ts'
import type { AnswerComparer, Judge, TrackRecord } from '../probing/ports.ts'
import type { Probing } from '../probing/run/probing.ts'
import type { SearchAnswer, SearchRequest } from '../retrieval/answer.ts'
import type { SourceStandsBack } from '../retrieval/defences/sources-standing-back.ts'
import type { NamedValues, UnknownValues } from '../retrieval/index/unknown-values.ts'
import type { SnapshotAge } from '../retrieval/ports.ts'
import type { SimulatedServer, SimulateOptions } from '../simulating/ports.ts'
import type { ConditionalPuts, RepairOptions, StoreDiagnosis, StoreRepair } from '../store/diagnosis.ts'
import type { KnownPlace, SourceReview } from '../store/source-review.ts'
import type { SourceState } from '../store/source-state.ts'
import type { MadeTasks } from '../tasks/make-tasks.ts'
import type { MakeTasksRequest } from '../tasks/request.ts'
import type { BoundLaunch } from '../trust/launches/bound-launch.ts'
import type { AcceptedCards } from '../trust/review/accepted-cards.ts'
import type { ShownPins } from '../trust/review/as-shown.ts'
import type { Decision } from '../trust/review/decide.ts'
import type { Released } from '../trust/review/held-by.ts'
import type { ServerHeld } from '../trust/review/held-server.ts'
import type { HeldNotice } from '../trust/review/held-notices.ts'
import type { Refused } from '../trust/review/refuse.ts'
import type { PassRateReport, PassRateRequest } from './pass-rating.ts'
import type { Recommending } from './parts/recommender.ts'
import type { TrainedModel, TrainOptions } from './parts/trainer.ts'

/** What the shells (CLI, MCP server, web) can ask of Audition. Opening is lazy: nothing loads before the first call. */
export type Audition = {
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>
  /** Searches cards that lie in memory, by the same models; the store is neither opened nor made. */
  searchAmong(cards: readonly Card[], request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>
  /**
   * Puts agents together for a task, from the tools of the user's MCP servers and the models that can be called. Nothing is written or run.
   *
   * @throws RemedyError for an empty task; NoIndexError, StoreError, SettingsError; LanguageModelError when the setting names no model
   */
  compose(task: string, options?: ComposeOptions): Promise<Composition>
  /**
   * Language models, best first: those that can be called and those that were tried, for a task or over all tasks.
   *
   * @throws StoreError, SettingsError, LanguageModelError
   */
  models(options?: CompareOptions): Promise<ModelComparison>
  /** Cards by id, in the order asked; unknown ids are left out. */
  cards(ids: readonly string[]): Promise<readonly Card[]>
  /** Up to `limit` ids close to a mistyped one, best first. */
  closestIds(id: string, limit: number, kind?: CardKind): Promise<readonly string[]>
  /** Servers and tags of a filter that no card has, with those that cards have. */
  unknownValues(filter: NamedValues): Promise<readonly UnknownValues[]>
  /** Ids with this prefix (case-insensitive), in order; for completion. */
  completeIds(prefix: string, limit: number, kind: CardKind): Promise<readonly string[]>
  /** Card counts of the newest snapshot. */
  counts(): Promise<{ readonly tools: number; readonly agents: number; readonly generation: number }>
  sources(): Promise<readonly SourceState[]>
  /** Measures search on datasets, and keeps the runs. */
  evaluations(): Promise<Evaluations>
  /**
   * Lets the configured language model do tasks with tools that are given, found or absent, and counts what it solves.
   *
   * @throws LanguageModelError when none is configured; RemedyError when a tool is not in the index, or its server may not be started
   */
  passRate(request: PassRateRequest): Promise<PassRateReport>
  /** Whether hosts find tools that lie in memory; the store is neither opened nor made. */
  findability(request: FindabilityRequest): Promise<Findability>
  /**
   * Makes tasks with judgements of the cards in the index: own queries, and a report of what was dropped and why.
   *
   * @throws NotAgreedToAskError when a language model would be asked and nobody agrees; RemedyError for a source that is not there
   */
  makeTasks(request: MakeTasksRequest): Promise<MadeTasks>
  /** Runs candidates, under what the user allows. */
  probing(): Promise<Probing>
  /** Calls tools and runs agents for a host; servers stay open between calls. */
  calling(): Promise<Calling>
  /** The same, and what calls give is kept, secrets masked: simulated servers give it again. */
  keptCalling(): Promise<Calling>
  /**
   * A server that stands for one of the index: the same tools, and answers that were recorded, played by the language model, or made of
   * schemas. Nothing of the real one is started, unless it is opened to record.
   *
   * @param server - the source that has its tools
   * @throws RemedyError when the index has no such tools, or faults cannot be read
   */
  simulatedServer(server: string, options?: SimulateOptions): Promise<SimulatedServer>
  /** Runs tools, and profiles with their servers, as simulated servers answer; outcomes go to {@link simulatedRecord} alone. */
  simulatedProbing(): Promise<Probing>
  /** What happened when candidates were run on simulated tools. No ranking reads it. */
  simulatedRecord(): Promise<TrackRecord>
  /**
   * Who grades answers: references, then the configured language model.
   *
   * @param gradings - times that the model grades each answer, 1 to 9; left out, as the user's settings say
   * @throws LanguageModelError when the setting names none
   */
  judge(gradings?: number): Promise<JudgePanel>
  /** Of each language model that is configured the judge that it is, the first choice first. @throws LanguageModelError */
  modelJudges(gradings?: number): Promise<readonly Judge[]>
  /** Puts answers of several candidates in order, by the configured language model; null when none is. @throws LanguageModelError */
  comparer(): Promise<AnswerComparer | null>
  /** What happened when candidates were run. Forgetting outcomes removes their transcripts. */
  record(): Promise<TrackRecord>
  index(options: IndexOptions): Promise<IndexReport>
  /** Trains an embedding and a ranker, or adapts them, and writes their folder. @throws TrainingError */
  train(options: TrainOptions): Promise<TrainedModel>
  /** Datasets of requests with agents, and recommenders that learn from them. */
  readonly recommend: Recommending
  /**
   * The cross-encoder that reranks, loaded, and how many candidates it reads; null when none is configured.
   *
   * @throws EmbeddingModelError when it cannot be loaded
   */
  reranker(): Promise<{ readonly id: string; readonly depth: number } | null>
  /**
   * The language models that are configured, as the user wrote them, the first choice first, with commas; null when none is. Nothing is asked of it.
   *
   * @throws LanguageModelError when the setting names none, or a key is missing
   */
  languageModel(): Promise<string | null>
  /**
   * What is set for a runtime in the environment, by the name of that setting: one line without secrets; null when nothing is.
   *
   * @throws RuntimeError when it is written otherwise
   */
  runtimeSetting(name: string): Promise<string | null>
  /** Where the store lies and how it is; never throws. */
  diagnose(): Promise<StoreDiagnosis>
  /** How old what searches answer by may be, of a store in object storage; null before the first search, and of a folder. Opens nothing. */
  storeAge(): Promise<SnapshotAge | null>
  /** Tries whether the store keeps the commits of several writers apart; writes trial objects and removes them. Never throws. */
  conditionalPuts(): Promise<ConditionalPuts>
  /** Looks through the store and the files beside it, and mends them when asked to; see `docs/security.md`. @throws StoreError */
  repair(options: RepairOptions): Promise<StoreRepair>
  /** Absolute folders that links in indexed folders may lead to. @throws SettingsError */
  followedLinks(): Promise<readonly string[]>
  /** What holds the programs that are started. @throws SettingsError */
  containment(): Promise<{
    readonly sandbox: string
    /** The sandbox and the limits, in one line for people. */
    readonly within: string
    /** Why the sandbox cannot be used here, so that nothing is started; null when it works. */
    readonly fault: { readonly message: string; readonly remedy: string } | null
    /** A sandbox that works here and is not chosen; absent where one is, and where none works. */
    readonly available?: 'bubblewrap'
  }>
  /**
   * The guarded way to the network for addresses that the operator named (`user`), or that anybody else did (`card`): see
   * `docs/security.md`. Settings are read at each request. Needs no `this`.
   */
  readonly guardedFetch: (namedBy: 'user' | 'card') => typeof globalThis.fetch
  /** Says what starting or reaching MCP servers would be on this machine; starts nothing. */
  launchOf(): Promise<(entry: McpServerEntry) => BoundLaunch>
  /** Starts one MCP server and lists its tools. @throws HarvestError */
  tryServer(entry: McpServerEntry, timeoutMs: number, signal?: AbortSignal): Promise<Pick<Harvest, 'tools'>>
  /**
   * Starts Audition as an entry of a host's configuration says, in no sandbox, as the host does; what answered.
   *
   * @throws HarvestError
   */
  tryOwnEntry(
    entry: McpServerEntry,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<{ readonly name: string; readonly version: string; readonly tools: number }>
  /** Forgets sources and their cards. */
  removeSources(ids: readonly string[]): Promise<void>
  /** Of these ids those whose cards are held, and why: nothing of what they say. */
  held(ids: readonly string[]): Promise<readonly HeldNotice[]>
  /** What is held of the sources, and what the user decided about them. */
  reviews(): Promise<readonly SourceReview[]>
  /** Folders that were read or named, with what was left out of them. */
  places(): Promise<readonly KnownPlace[]>
  /**
   * Puts held cards into search, by their ids or all of a source. The user's decision: nothing else may call it.
   * @param shown - pins of what a person was shown: a card that is another one by now stops all, here and in the two below
   * @throws RemedyError
   */
  accept(words: readonly string[], shown?: ShownPins): Promise<readonly Released[]>
  /** Why no host gets the server of a card now; null where nothing of it is held. Tells no text of what is held. */
  serverHeld(card: Card): Promise<ServerHeld | null>
  /** The cards in search whose very text the user accepted, of each source that has any. */
  accepted(): Promise<readonly AcceptedCards[]>
  /**
   * Remembers that these held texts are not wanted: they stay held, and nobody asks again. Of what was accepted it takes that back. The
   * user's decision. @throws RemedyError
   */
  refuse(words: readonly string[], shown?: ShownPins): Promise<readonly Refused[]>
  /** Takes accepted cards out of search again, by their ids, whatever else of them is held. The user's decision. @throws RemedyError */
  takeBack(ids: readonly string[], shown?: ShownPins): Promise<readonly Refused[]>
  /**
   * Says whether changes of sources are taken at once, and whether they count as the user's own in searches. The user's decision, as
   * above. @throws RemedyError
   */
  decideTrust(ids: readonly string[], decision: Decision): Promise<readonly Released[]>
  /** Cards that stand back or are read more strictly whatever is asked for, by source. */
  standingBack(): Promise<readonly SourceStandsBack[]>
  close(): Promise<void>
}
