import { agentTokens, languageModel, nodeVersion, reranker, sandbox } from './installation.ts'
import type { Check } from './check.ts'
import { damage, keptSecrets, model, sources, store, writers } from './store.ts'
import { auditionInHosts } from './audition-in-hosts.ts'
import { hostConfigs, launches, mcpServers } from './hosts.ts'

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
