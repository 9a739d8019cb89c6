import type { Standings } from '../trust/standing.ts'
import type { CrossEncoderStage } from '../retrieval/rank/cross-encoder.ts'
import type { CatalogSnapshot } from '../retrieval/ports.ts'
import type { EmbeddingModel } from '../retrieval/ports.ts'
import type { EvaluationWatch } from './evaluation-settings.ts'

/** What a run searches with. */
export type EvaluationContext = EvaluationWatch & {
  /** Null searches by words alone. */
  readonly model: EmbeddingModel | null
  /** A model that was chosen in place of the one that ships is told in the run's usual name. @defaultValue 'shipped' */
  readonly modelIs?: 'shipped' | 'chosen'
  /** Reranks for the rankers `auto` and `cross-encoder`. @defaultValue none does */
  readonly crossEncoder?: CrossEncoderStage | null
  /** Whose words the sources of the dataset's cards hold. @defaultValue all are installed, as published benchmarks have no attackers */
  readonly standingOf?: Standings
  /** The user's index, for the corpus `index`. */
  readonly index?: CatalogSnapshot
}
