import type { PinnedCatalog } from '../trust/review/known-servers.ts'
import type { Config } from '../config.ts'
import { guardsOf, hostUserOf } from './open-guards.ts'
import { languageModelWith } from './language-models.ts'
import { packageVersion } from '../package-version.ts'
import { namesHost } from '../probing/settings/grants.ts'
import type { Executor } from '../probing/ports.ts'
import { executorOf } from '../probing/runtime-kind.ts'
import type { Settings } from '../probing/settings/settings.ts'
import { type RuntimeSurroundings, runners } from './runtimes.ts'

/** What decides how cards are run. */
type RunningParts = {
  readonly config: Config
  /** Absolute folder of the bundled catalog. */
  readonly catalogFolder: string
  readonly settings: Settings
  /** What servers may say to models. */
  readonly pinned: PinnedCatalog
}

export const surroundingsFor = ({
  config,
  catalogFolder,
  settings,
  pinned,
}: RunningParts): RuntimeSurroundings => ({
  ...guardsOf(config, settings),
  catalogFolder,
  pinned,
  environment: config.environment,
  version: packageVersion(),
  languageModel: languageModelWith(config, settings),
  prices: settings.prices,
  runner: settings.subagents,
  isNamed: (permit) => namesHost(settings.allow, permit),
  user: hostUserOf(config),
})

/** Every way to run a card. The code of each is loaded when a card of its sort is planned or run, and not before. */
export function executorsFor(parts: RunningParts): readonly Executor[] {
  const surroundings = surroundingsFor(parts)
  return runners.map((runner) => executorOf(runner, surroundings))
}
