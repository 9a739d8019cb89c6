import { agentTokens } from './doctor/agent-tokens.ts'
import type { Check } from './doctor/check.ts'
import { damage } from './doctor/damage.ts'
import { auditionBlock, hostConfigs, mcpServers } from './doctor/hosts.ts'
import { languageModel } from './doctor/language-model.ts'
import { nodeVersion } from './doctor/node-version.ts'
import { reranker } from './doctor/reranker.ts'
import { sandbox } from './doctor/sandbox.ts'
import { model, sources, store } from './doctor/store.ts'

/** Everything `doctor` looks at, in the order it reports. */
export const doctorChecks: readonly Check[] = [
  nodeVersion,
  store,
  damage,
  model,
  reranker,
  languageModel,
  agentTokens,
  sources,
  sandbox,
  hostConfigs,
  auditionBlock,
  mcpServers,
]
