import type { Card } from '../../domain/card.ts'
import type { Runtime } from '../../domain/runtime.ts'
import { shownLocation, withoutPaths } from './machine-paths.ts'

/** A card as it may leave the machine: whole, but for the folders that its paths would tell of. */
export function shareableCard<C extends Card>(card: C): C {
  const { runtime, provenance } = card
  return {
    ...card,
    provenance: { ...provenance, location: shownLocation(provenance.location) },
    ...(runtime === undefined ? {} : { runtime: shareableRuntime(runtime) }),
  }
}

function shareableRuntime(runtime: Runtime): Runtime {
  switch (runtime.kind) {
    case 'mcp':
      return { ...runtime, config: shownLocation(runtime.config), display: withoutPaths(runtime.display) }
    case 'profile':
    case 'claude-subagent':
    case 'openai-chat':
      return { ...runtime, file: shownLocation(runtime.file) }
    case 'a2a':
    case 'http':
      return runtime
  }
}
