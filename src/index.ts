/** Audition in a program: what a caller needs, and nothing of the inside. */
export { openAudition, rank, UnknownCardError } from './library/open-audition.ts'
export type {
  AuditionLibrary,
  AuditionOptions,
  EvaluationOptions,
  ProbeOptions,
} from './library/open-audition.ts'
export type { ListedTool, RankedTool, RankedTools, RankOptions, ToolList } from './library/rank.ts'
export { grantsFor } from './probing/settings/grants.ts'

export { RemedyError } from './domain/remedy-error.ts'
export { NoIndexError } from './retrieval/ports.ts'
export { EmbeddingModelError } from './retrieval/rank/embedding-model-error.ts'
export { RankerError } from './retrieval/rank/ranker-error.ts'
export { RefusedRequestError, SandboxError, StoreError } from './compose/errors.ts'
export { NotAgreedError, OvertakenError } from './store/catalog-writer.ts'
export { SettingsError } from './probing/settings/settings-file.ts'
export { ProbingError } from './probing/run/probing.ts'
export { LanguageModelError } from './evaluation/evaluation-settings.ts'
export { DatasetError, SettingError } from './evaluation/datasets/dataset.ts'
export { RunFileError, UnknownRunError } from './evaluation/runs/run-file.ts'
export { IncomparableRunsError } from './evaluation/runs/compare-runs.ts'
export { DifferentViewsError } from './evaluation/runs/compare-runs.ts'
export { UnwritableError } from './evaluation/runs/writable.ts'
export { MissingPartError } from './compose/load-part.ts'

export type { ComposedProfile, ComposeOptions, Composition, ServedFacet } from './assembling/composition.ts'
export type { Card, CardKind } from './domain/card.ts'
export type { Sending } from './store/catalog-writer.ts'
export type {
  EvaluationRequest,
  EvaluationResult,
  MeasuredResult,
  UnaskedResult,
} from './evaluation/evaluations.ts'
export type {
  Harvesting,
  IndexOptions,
  IndexProgress,
  IndexReport,
  NotAsked,
  SourceReport,
} from './indexing/index-report.ts'
export type { ExecutionLimits, Launch, Reference, Task, WithheldTool } from './probing/ports.ts'
export type {
  CandidateReport,
  NotRun,
  ProbeReport,
  ProbedRun,
  TellingTask,
} from './probing/run/probe-report.ts'
export type { Plan, ProbeCall, TaskChoice } from './probing/run/probing.ts'
export type { Allowance, ChangedPermit } from './probing/settings/grants.ts'
export type {
  Faults,
  SimulatedAnswer,
  SimulatedServer,
  SimulatedSession,
  SimulateOptions,
  ToolAnswer,
} from './simulating/ports.ts'
export type { Problem } from './domain/problem.ts'
export type {
  Obstacle,
  RankerName,
  Reranking,
  RecordSignal,
  ScoredCard,
  SearchAnswer,
  SearchRequest,
  Signals,
  StandsBackSignal,
} from './retrieval/answer.ts'
export type { Parameter, ToolAnnotations, ToolCard } from './domain/card.ts'
export type { AgentCard, AgentKind, Backbone, ToolReference } from './domain/card.ts'
export type {
  Clock,
  EvaluationProgress,
  EvaluationSettings,
  EvaluationWatch,
} from './evaluation/evaluation-settings.ts'
export type { Budget, Spent } from './probing/run/budget.ts'
export type { CardFilter } from './retrieval/index/card-filter.ts'
export type { Tier } from './retrieval/defences/provenance-thresholds.ts'
export type { JsonObject, JsonValue } from './domain/json.ts'
export type { BoundLaunch, LaunchDifference } from './trust/launches/bound-launch.ts'
export type { ProbeEvent } from './probing/run/probe.ts'
export type { CardBase } from './domain/card.ts'
export type { Ranker } from './retrieval/retrieve.ts'
export type { SettingValues } from './evaluation/datasets/dataset.ts'
export type {
  CategoryAverages,
  Comparison,
  Estimates,
  EvaluationRun,
  QueryDifference,
  QueryOutcome,
  RunCandidate,
  RunSettings,
  RunTiming,
} from './evaluation/runs/evaluation-run.ts'
export type { GivenRun } from './evaluation/runs/given-run.ts'
export type { Finding as SearchFinding } from './evaluation/self/findings.ts'
export type { HeldCounts } from './store/source-state.ts'
export type { Discrimination } from './domain/weigh-probes.ts'
export type { McpRuntime, Runtime } from './domain/runtime.ts'
export type { RunId } from './evaluation/runs/run-store.ts'
export type { Finding } from './domain/finding.ts'
export type { CardFlag } from './domain/finding.ts'
export type { Span } from './domain/finding.ts'
export type { Run } from './evaluation/runs/trec.ts'
export type { Ending, Outcome, Verdict } from './domain/outcome.ts'
export type { Candidate, Ranking } from './domain/ranking.ts'
export type { Withheld } from './trust/review/check-live-tools.ts'
