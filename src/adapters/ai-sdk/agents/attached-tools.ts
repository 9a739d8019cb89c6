import { dynamicTool, jsonSchema, type ToolSet } from 'ai'
import { cutCounting } from '../../../domain/text/cut.ts'
import type { McpServerEntry } from '../../../catalog/ports.ts'
import { printableLine } from '../../../domain/text/printable.ts'
import { cutTexts } from '../../../trust/scan/cut-texts.ts'
import { liveToolCheck } from '../../../trust/review/check-live-tools.ts'
import type { PinnedCatalog } from '../../../trust/review/known-servers.ts'
import { boundsOf } from '../../../domain/bounds.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts'
import type { BoundedRun } from '../../../probing/run/bounded-execution.ts'
import type { ServerSettings } from '../../mcp-client/connect-server.ts'
import { openServerSession, type ServerSession } from '../../mcp-client/server-session.ts'
import type { WantedServer, WantedTools } from './profile-servers.ts'
import { textsOfTool, visibleTool } from './visible-tool.ts'
import { checkedTools } from '../../mcp-client/withheld-tools.ts'

/** Tools as the AI SDK calls them, over live servers. */
type AttachedTools = {
  readonly tools: ToolSet
  /** Ends all servers; resolves when their processes are gone. */
  close(urgency: 'friendly' | 'now'): Promise<void>
}

/** What servers are opened with. */
export type SessionSettings = ServerSettings & {
  /** Whether the user named the host of a permit in so many words. @defaultValue nobody's */
  readonly isNamed?: (permit: string) => boolean
  /** What servers are compared with before a model gets their tools. @defaultValue a catalog that knows no server */
  readonly pinned?: PinnedCatalog
  /** Opens something in the place of a server. @defaultValue the server itself */
  readonly openSession?: (entry: McpServerEntry) => Promise<ServerSession>
}

const knowingNone: PinnedCatalog = {
  sources: async () => [],
  reviews: async () => [],
  tools: async () => [],
  names: async () => [],
}

/** Characters of a result that the model gets, and that the transcript keeps. */
const most = { forModel: 60_000, quoted: 2_000 }

/** Calls of tools that a model may make per turn that it has, on average. */
const callsPerStep = 16

/** Names that every provider takes. */
const longestName = 64

/**
 * Starts or contacts the servers and makes tools of what they offer. A tool that is wanted and not there is told of, and one
 * that is not as it was indexed, or that the scan finds hostile, is withheld and told of. What servers send counts against the run; results are what tools said, and go to the model as that and nothing else.
 *
 * @throws HarvestError when a server does not start; those that did are ended again
 * @throws RuntimeError when the catalog cannot be read, likewise
 */
export async function attachTools(
  { servers, unattached }: WantedTools,
  settings: SessionSettings,
  run: BoundedRun,
): Promise<AttachedTools> {
  const check = liveToolCheck(settings.pinned ?? knowingNone)
  const missing = [...unattached]
  const opened = await Promise.allSettled(servers.map((server) => open(server, settings, run)))
  const sessions = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const close = async (urgency: 'friendly' | 'now'): Promise<void> => {
    await Promise.all(sessions.map((session) => session.close(urgency)))
    for (const session of sessions) {
      const log = session.log()
      if (log !== '') run.tell({ kind: 'log', text: log })
    }
  }
  const refused = opened.find((result) => result.status === 'rejected')
  if (refused !== undefined) {
    await close('now')
    throw refused.reason
  }
  const offered: OfferedTool[] = []
  let tools: ToolSet
  try {
    for (const [index, { entry, tools: wanted }] of servers.entries()) {
      const session = sessions[index]!
      missing.push(...(wanted ?? []).filter((name) => !session.tools.some((tool) => tool.name === name)))
      const isWanted = (name: string): boolean => wanted === null || wanted.includes(name)
      const { fit, withheld } = await checkedTools({ entry, session, isWanted }, check, run.signal)
      for (const one of withheld) run.tell({ kind: 'tool-withheld', ...one })
      for (const tool of fit)
        offered.push({
          server: entry.name,
          tool,
          call: (args) => session.call(tool.name as string, args, run),
        })
    }
    tools = await callableTools(offered, run)
  } catch (error) {
    await close('now')
    throw error
  }
  if (missing.length > 0)
    run.tell({ kind: 'status', text: `tools not attached: ${missing.join(', ')}`, missing })
  return { tools, close }
}

async function open(
  { entry }: WantedServer,
  settings: SessionSettings,
  run: BoundedRun,
): Promise<ServerSession> {
  const bounds = boundsOf({ within: run })
  const namedBy = 'card' // a profile is a card: its author says where its servers are
  const opened = settings.openSession?.(entry) ?? openServerSession(entry, { ...settings, namedBy, bounds })
  const session = await opened.finally(bounds.release)
  const { name, version } = session.server
  run.tell({ kind: 'status', text: `connected to ${name} ${version}`.trim() })
  return session
}

type Cuts = Awaited<ReturnType<typeof cutTexts>>

function tellCuts(tool: JsonObject, cuts: Cuts, run: BoundedRun): void {
  const rules = [...new Set([...cuts.values()].flatMap((cut) => cut.rules))]
  if (rules.length === 0) return
  const name = JSON.stringify(printableLine(String(tool.name)))
  run.tell({
    kind: 'status',
    text: `of tool ${name} suspicious sentences are kept back: ${rules.join(', ')}`,
  })
}

/** A tool that a model may call. */
export type OfferedTool = {
  /** What stands before its name where that is taken. */
  readonly server: string
  /** As the protocol gives it. */
  readonly tool: JsonObject
  call(args: JsonObject): Promise<{ readonly text: string; readonly failed: boolean }>
}

/** Tools as the AI SDK calls them: suspicious sentences cut, each call told, and no more calls than the run may make. */
export async function callableTools(offered: readonly OfferedTool[], run: BoundedRun): Promise<ToolSet> {
  const count = callCounter(run)
  const tools: ToolSet = {}
  for (const one of offered) {
    const cuts = await cutTexts(textsOfTool(one.tool), { cutFor: 'soft', signal: run.signal })
    tellCuts(one.tool, cuts, run)
    tools[freeName(one.server, one.tool.name as string, tools)] = callable(one, cuts, { run, count })
  }
  return tools
}

function callable(
  { tool, call }: OfferedTool,
  cuts: Cuts,
  { run, count }: { readonly run: BoundedRun; readonly count: () => void },
) {
  const name = tool.name as string
  const { description, inputSchema, published } = visibleTool(tool, cuts)
  return dynamicTool({
    description,
    inputSchema: jsonSchema(inputSchema),
    async execute(input) {
      count()
      const args = published(isJsonObject(input) ? input : {})
      run.tell({ kind: 'tool-call', tool: name, arguments: args as JsonValue })
      const from = performance.now()
      const { text, failed } = await call(args).catch((error: unknown) => {
        run.signal.throwIfAborted()
        return { text: error instanceof Error ? error.message : String(error), failed: true }
      })
      const seconds = (performance.now() - from) / 1_000
      run.tell({ kind: 'tool-result', tool: name, text: cutCounting(text, most.quoted), failed, seconds })
      return { text: cutCounting(text, most.forModel), failed }
    },
    toModelOutput({ output }) {
      const { text, failed } = output as { readonly text: string; readonly failed: boolean }
      return { type: failed ? 'error-text' : 'text', value: text }
    },
  })
}

/** Stops the run at one call too many: a model may ask for thousands in one turn. */
function callCounter(run: BoundedRun): () => void {
  const mostCalls = run.limits.steps * callsPerStep
  let calls = 0
  return () => {
    calls += 1
    if (calls > mostCalls)
      run.stopAtLimit(`it called tools more than ${mostCalls.toLocaleString('en')} times`)
    run.signal.throwIfAborted()
  }
}

/** The tool's own name with what providers refuse replaced; with its server's in front when that is taken. */
function freeName(server: string, tool: string, taken: ToolSet): string {
  const plain = (name: string) => name.replace(/[^\w-]/g, '_').slice(0, longestName) || '_'
  const candidates = [plain(tool), plain(`${server}_${tool}`)]
  const free = candidates.find((name) => !Object.hasOwn(taken, name))
  if (free !== undefined) return free
  for (let number = 2; ; number++) {
    const name = `${plain(tool).slice(0, longestName - 6)}_${number}`
    if (!Object.hasOwn(taken, name)) return name
  }
}
