/**
 * Audition in a program: what a caller needs, and nothing of the inside.
 *
 * @module audition-mcp
 */

export type { ComposedProfile, ComposeOptions, Composition, ServedFacet } from './assembling/composition.ts'
export { RefusedRequestError, SandboxError, StoreError } from './compose/errors.ts'
export type { PartName } from './compose/parts/load-part.ts'
export { MissingPartError } from './compose/parts/load-part.ts'
export type { NamedModel, NamedModels } from './config.ts'
export type {
  AgentCard,
  AgentKind,
  Backbone,
  Card,
  CardBase,
  CardKind,
  Enrichment,
  Parameter,
  Provenance,
  ToolAnnotations,
  ToolCard,
  ToolReference,
} from './domain/card.ts'
export type { CardFlag, Finding, Span } from './domain/finding.ts'
export type { JsonObject, JsonValue } from './domain/json.ts'
export type { Ending, Outcome, UseEnding, Verdict } from './domain/outcome.ts'
export type { Problem } from './domain/problem.ts'
export type { Candidate, Ranking } from './domain/ranking.ts'
export { RemedyError } from './domain/remedy-error.ts'
export type { FileRuntime, McpRuntime, Runtime, RuntimeOf, Runtimes } from './domain/runtime.ts'
export type { Discrimination, TellingTask } from './domain/weigh-probes.ts'
export type { DownloadOptions, DownloadProgress, SettingValues } from './evaluation/datasets/dataset.ts'
export { DatasetError, SettingError } from './evaluation/datasets/dataset.ts'
export type {
  Clock,
  EvaluationProgress,
  EvaluationSettings,
  EvaluationWatch,
} from './evaluation/evaluation-settings.ts'
export { LanguageModelError } from './evaluation/evaluation-settings.ts'
export type {
  DatasetName,
  DatasetPlace,
  EvaluationRequest,
  EvaluationResult,
  MeasuredResult,
  UnaskedResult,
} from './evaluation/evaluations.ts'
export { NeverRankedError } from './evaluation/reranking/reranking-notes.ts'
export { DifferentViewsError, IncomparableRunsError } from './evaluation/runs/compare-runs.ts'
export type {
  CategoryAverages,
  Comparison,
  Estimate,
  Estimates,
  EvaluationRun,
  PartSummary,
  ProbeTercile,
  PublishedRow,
  QueryDifference,
  QueryOutcome,
  RerankerCounts,
  RerankingBlock,
  RerankingRow,
  RerankingTable,
  RunCandidate,
  RunSettings,
  RunTiming,
} from './evaluation/evaluation-run.ts'
export type { GivenRun } from './evaluation/runs/given-run.ts'
export { RunFileError, UnknownRunError } from './evaluation/runs/run-file.ts'
export type { RunId } from './evaluation/runs/run-store.ts'
export type { Run } from './evaluation/runs/trec.ts'
export { UnwritableError } from './evaluation/runs/writable.ts'
export type { SearchFinding } from './evaluation/self/findings.ts'
export type { EnrichmentReport } from './indexing/enrich-cards.ts'
export type {
  Harvesting,
  HeldChange,
  IndexOptions,
  IndexProgress,
  IndexReport,
  NotAsked,
  SourceReport,
} from './indexing/index-report.ts'
export type {
  AuditionLibrary,
  AuditionOptions,
  EvaluationOptions,
  ProbeOptions,
} from './library/open-audition.ts'
export { ArgumentError, ClosedError } from './library/door.ts'
export { openAudition, rank, UnknownCardError } from './library/open-audition.ts'
export type { ListedTool, RankedTool, RankedTools, RankOptions, ToolList } from './library/rank.ts'
export type { CallProgress, ToolResult } from './probing/calls/ports.ts'
export type {
  ExecutionLimits,
  Launch,
  Reference,
  Task,
  TranscriptEvent,
  WithheldTool,
} from './probing/ports.ts'
export { RuntimeError } from './probing/ports.ts'
export type { Budget, Spent } from './probing/budget.ts'
export type { Happening, ProbeEvent } from './probing/run/probe.ts'
export type {
  CandidateReport,
  NotRun,
  ProbedRun,
  ProbeReport,
} from './probing/run/probe-report.ts'
export type { Allowed, Plan, ProbeCall, TaskChoice } from './probing/run/probing.ts'
export { ProbingError } from './probing/run/probing.ts'
export type { Allowance, ChangedPermit, Grant, GrantedSandbox } from './probing/settings/grants.ts'
export { grantsFor } from './probing/settings/grants.ts'
export { SettingsError } from './probing/settings/settings-file.ts'
export type {
  Obstacle,
  Ranker,
  RankerName,
  RecordSignal,
  Reranking,
  ScoredCard,
  SearchAnswer,
  SearchRequest,
  Signals,
  StandsBackSignal,
  Tier,
  UseSummary,
} from './retrieval/answer.ts'
export type { CardFilter } from './retrieval/index/card-filter.ts'
export { NoIndexError, RankerError } from './retrieval/ports.ts'
export { EmbeddingModelError, EmbeddingServiceError } from './retrieval/rank/embedding-model-error.ts'
export { RerankerError } from './retrieval/rank/service-failures.ts'
export type {
  AnsweredBy,
  Faults,
  SimulatedAnswer,
  SimulatedServer,
  SimulatedSession,
  SimulateOptions,
  ToolAnswer,
} from './simulating/ports.ts'
export { UnknownToolError } from './simulating/ports.ts'
export type { Sending } from './store/catalog-writer.ts'
export { NotAgreedError, OvertakenError } from './store/catalog-writer.ts'
export type { TooManyToRead } from './store/diagnosis.ts'
export type { AgreedLines, HeldCounts } from './store/source-state.ts'
export type { BoundLaunch, LaunchDifference } from './trust/launches/bound-launch.ts'
export type { Withheld } from './trust/review/check-live-tools.ts'
