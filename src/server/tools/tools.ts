import type { ServedTool } from './tool.ts'
import { describeCards } from './describe.ts'
import { evaluateSearch } from './evaluate.ts'
import { probeAgent } from './probe-agent.ts'
import { searchAgents } from './search-agents.ts'
import { searchTools } from './search-tools.ts'

/** Every tool we serve, in the order of `tools/list`, which never varies. */
export const tools: readonly ServedTool[] = [
  searchAgents,
  searchTools,
  describeCards,
  probeAgent,
  evaluateSearch,
]
