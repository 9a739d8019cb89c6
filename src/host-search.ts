/**
 * Audition behind the tool search of other hosts and SDKs.
 *
 * @module audition-mcp/hosts
 */

export { aiSdkSearch, aiSdkSteps } from './library/hosts/ai-sdk.ts'
export { claudeAgentTools, toAgentDefinition } from './library/hosts/claude-agent-sdk.ts'
export { claudeToolSearch, toClaudeTool, toToolReferences } from './library/hosts/claude-api.ts'
export { copilotToolSearch } from './library/hosts/copilot.ts'
export { adkSkillRegistry } from './library/hosts/google-adk.ts'
export { langchainToolSearch } from './library/hosts/langchain.ts'
export { mastraToolSearch } from './library/hosts/mastra.ts'
export { openAIAgentsToolSearch } from './library/hosts/openai-agents.ts'
export { openAIToolSearch, toOpenAITool } from './library/hosts/openai-responses.ts'
export { searchByIndex } from './library/hosts/search-by-index.ts'
export type { FoundTools, HostSearchOptions, StepOptions, ToolSearch } from './library/hosts/tool-search.ts'
export { searchInMemory } from './library/hosts/tool-search.ts'
