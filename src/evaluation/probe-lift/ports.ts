import type { Card } from '../../domain/card.ts'
import type { Outcome } from '../../domain/outcome.ts'

/** What probing a number of cards gave. */
export type Probed = {
  /** By card id, in the order of its probes. */
  readonly outcomes: ReadonlyMap<string, readonly Outcome[]>
  /** Texts of the tasks that were set, each once. */
  readonly tasks: readonly string[]
  /** Wall time of all together, starting servers included, in seconds. */
  readonly seconds: number
}

/** Runs tools on tasks with known answers, and judges them. */
export type VariantProber = {
  /**
   * @param probes - tasks per card. Integer >= 1
   * @param onProbe - called when a probe has ended
   * @throws Error when a card cannot be probed, or the signal aborts; no process is left in either case
   */
  probe(
    cards: readonly Card[],
    probes: number,
    options: { readonly signal: AbortSignal; onProbe(done: number, total: number): void },
  ): Promise<Probed>
}
