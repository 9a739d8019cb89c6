import type { ServedTool } from './tool.ts'
import { describeCards } from './tools/describe.ts'
import { evaluateSearch } from './tools/evaluate.ts'
import { probeAgent } from './tools/probe-agent.ts'
import { searchAgents } from './tools/search-agents.ts'
import { searchTools } from './tools/search-tools.ts'

/** Every tool we serve, in the order of `tools/list`, which never varies. */
export const tools: readonly ServedTool[] = [
  searchAgents,
  searchTools,
  describeCards,
  probeAgent,
  evaluateSearch,
]
