import { agentTokens } from './agent-tokens.ts'
import type { Check } from './check.ts'
import { damage } from './damage.ts'
import { auditionInHosts } from './audition-in-hosts.ts'
import { hostConfigs, mcpServers } from './hosts.ts'
import { keptSecrets } from './kept-secrets.ts'
import { languageModel } from './language-model.ts'
import { launches } from './launches.ts'
import { nodeVersion } from './node-version.ts'
import { reranker } from './reranker.ts'
import { sandbox } from './sandbox.ts'
import { model, sources, store } from './store.ts'
import { writers } from './writers.ts'

/** Everything `doctor` looks at, in the order it reports. */
export const doctorChecks: readonly Check[] = [
  nodeVersion,
  store,
  writers,
  damage,
  keptSecrets,
  model,
  reranker,
  languageModel,
  agentTokens,
  sources,
  sandbox,
  hostConfigs,
  auditionInHosts,
  launches,
  mcpServers,
]
