import { agentTokens } from './doctor/agent-tokens.ts'
import type { Check } from './doctor/check.ts'
import { damage } from './doctor/damage.ts'
import { auditionInHosts } from './doctor/audition-in-hosts.ts'
import { hostConfigs, mcpServers } from './doctor/hosts.ts'
import { languageModel } from './doctor/language-model.ts'
import { launches } from './doctor/launches.ts'
import { nodeVersion } from './doctor/node-version.ts'
import { reranker } from './doctor/reranker.ts'
import { sandbox } from './doctor/sandbox.ts'
import { model, sources, store } from './doctor/store.ts'
import { writers } from './doctor/writers.ts'

/** Everything `doctor` looks at, in the order it reports. */
export const doctorChecks: readonly Check[] = [
  nodeVersion,
  store,
  writers,
  damage,
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
