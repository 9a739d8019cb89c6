import { shownRuntime } from '../../compose/runtimes.ts'
import type { AgentCard } from '../../domain/agent-card.ts'
import type { Card } from '../../domain/card.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Hiding } from '../../probing/runtime-kind.ts'
import { shownLocation, withoutPaths } from './machine-paths.ts'
import { oneLine, quoted } from './quoted-text.ts'

const hide: Hiding = { location: shownLocation, text: withoutPaths, line: oneLine, quoted }

/** How a card is started, without paths of this machine; null when it is known by description only. */
export const howToRun = (card: Card): JsonObject | null =>
  (card.runtime && shownRuntime(card)?.call(card.runtime, hide)) ?? null

/** The same for a readable line. */
export function howToRunLine(card: AgentCard): string {
  const { runtime, backbone, instructions } = card
  const use = runtime && shownRuntime(card)?.use(runtime, hide)
  return (
    use ?? (backbone === null && instructions === undefined ? 'known by description only' : 'run its YAML')
  )
}

/** A card as it may leave the machine: whole, but for the folders that its paths would tell of. */
export function shareableCard<C extends Card>(card: C): C {
  const { runtime, provenance } = card
  const shared = runtime && shownRuntime(card)?.share(runtime, hide)
  return {
    ...card,
    provenance: { ...provenance, location: shownLocation(provenance.location) },
    ...(shared === undefined ? {} : { runtime: shared }),
  }
}
