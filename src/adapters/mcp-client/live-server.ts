import { statSync } from 'node:fs'
import { contentHash } from '../../catalog/identity.ts'
import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'
import { BoundReached, boundsOf, type Bounds } from '../../domain/bounds.ts'
import type { ToolAnnotations, ToolCard } from '../../domain/card.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import type { McpRuntime } from '../../domain/runtime.ts'
import { type LiveServer, type LiveTool, NoAnswer, type OpenServer } from '../../probing/calls/ports.ts'
import { requireSameLaunch } from '../../probing/settings/grants.ts'
import type { Settings } from '../../probing/settings/settings.ts'
import type { LiveToolCheck } from '../../trust/review/check-live-tools.ts'
import { type McpToolSurroundings, permitsOf, readyEntry } from './mcp-tool-executor.ts'
import { openServerSession, type ServerSession } from './server-session.ts'
import { checkedTools } from './withheld-tools.ts'

/** A server that is open. */
export type OpenEntry = {
  readonly entry: McpServerEntry
  /** Of all that decides what is started; another one is another server. */
  readonly launch: string
  stamps: string
  readonly session: ServerSession
  readonly bounds: Bounds
  /** Tools that may be called, of the last listing. */
  readonly checked: Map<string, LiveTool>
  listing: Pick<ServerSession, 'tools' | 'harvest'>
  listedAt: number
  readonly calls: CallsUnderWay
  /** Uses under way. */
  running: number
  /** A call took too long or was given up, and nobody has seen the server answer since. */
  isSuspect: boolean
  /** Nobody may use it any more; it is closed when the last call has ended. */
  isRetired: boolean
  usedAt: number
  idle?: NodeJS.Timeout
}

/** What servers are started with. */
export type Starting = { readonly surroundings: (settings: Settings) => McpToolSurroundings }

/** How tools are looked at before they are called. */
export type Looking = { readonly check: LiveToolCheck; readonly relistMs: number }

/** Seconds that a server has to start. */
const startSeconds = 60
/** Bytes that a server may send for one call. */
const mostBytes = 64 * 1024 * 1024

/** Starts a server by what was allowed, and nothing else by its name. @throws HarvestError, RuntimeError */
export async function startServer(
  { card, launch, settings, settingsFile }: OpenServer,
  { surroundings: surroundingsOf, signal }: Starting & { readonly signal: AbortSignal },
): Promise<OpenEntry> {
  const surroundings = surroundingsOf(settings)
  const entry = readyEntry(card, surroundings)
  const stamps = stampsOf(card, settingsFile)
  requireSameLaunch(launch, permitsOf(entry, surroundings))
  const bounds = boundsOf({ callers: [signal], seconds: startSeconds, bytes: mostBytes })
  const session = await openServerSession(entry, { ...surroundings, bounds }).finally(bounds.release)
  return {
    entry,
    session,
    bounds,
    stamps,
    launch: launchKey(launch),
    listing: session,
    checked: new Map(),
    listedAt: performance.now(),
    usedAt: performance.now(),
    calls: callsUnderWay(session),
    running: 0,
    isSuspect: false,
    isRetired: false,
  }
}

/** An open server as calls use it. @param retire - called when it is silent: `now` when no other call is lost by its end */
export const serverOf = (
  entry: OpenEntry,
  { check, relistMs }: Looking,
  retire: (urgency: 'friendly' | 'now') => void,
): LiveServer => ({
  async tool(card, signal) {
    const { session } = entry
    if (session.hasChanged() || performance.now() - entry.listedAt > relistMs) {
      entry.listing = await answered(entry, { signal, retire }, () => session.relist(signal))
      entry.listedAt = performance.now()
      entry.checked.clear()
    }
    // A card that changed in the catalog is looked at again, whatever its server says.
    const key = `${card.name} ${contentHash(card)}`
    const known = entry.checked.get(key)
    if (known !== undefined) return known
    const listed = entry.listing.tools.find(({ name }) => name === card.name)
    if (listed === undefined) return null
    const isWanted = (name: string): boolean => name === card.name
    const wanted = { entry: entry.entry, session: { ...session, ...entry.listing }, isWanted }
    const [withheld] = (await checkedTools(wanted, check, signal)).withheld
    if (withheld !== undefined) return { withheld }
    const tool = liveTool(card.name, listed)
    entry.checked.set(key, tool)
    return tool
  },
  call: (tool, args, { onTurn, ...asked }) =>
    answered(entry, { signal: asked.signal, retire, onTurn }, () => entry.session.result(tool, args, asked)),
})

/** After a call that took too long, a server that does not answer within so many ms is started anew. */
export const pingMs = 1_000

/** Awaits an answer. When none comes, the server is asked whether it answers anything: only so it is known whose fault that is. */
async function answered<T>(
  entry: OpenEntry,
  asked: {
    readonly signal: AbortSignal
    readonly retire: (urgency: 'friendly' | 'now') => void
    readonly onTurn?: (() => void) | undefined
  },
  work: () => Promise<T>,
): Promise<T> {
  const { session, calls } = entry
  const call = calls.begin(asked.onTurn)
  try {
    const answer = await work()
    calls.answered(call)
    return answer
  } catch (error) {
    call.isGivenUp = true
    entry.isSuspect = true
    if (asked.signal.aborted || !(error instanceof HarvestError || error instanceof BoundReached)) throw error
    const isLate = error instanceof BoundReached && error.bound === 'time'
    const isGone = session.isGone()
    if (!isGone && (await session.answers(pingMs))) {
      calls.answeredSomething()
      entry.isSuspect = false
      throw new NoAnswer(error, { isLate, isLost: false, isDoubtful: false })
    }
    const isDoubtful = !calls.isAlone(call, isGone ? 'gone' : 'silent')
    if (!isGone) asked.retire(calls.areOthersUnread(call) ? 'now' : 'friendly')
    const isLost = !call.isRead || (!isLate && session.isGone())
    throw new NoAnswer(error, { isLate, isLost, isDoubtful })
  }
}

export const keyOf = ({ config, name }: McpServerEntry): string => `${config}#${name}`

export function keyOfCard({ runtime }: ToolCard): string {
  const { config, server } = runtime as McpRuntime
  return `${config}#${server}`
}

export const launchKey = ({ permit, binds = {}, within = '' }: OpenServer['launch']): string =>
  `${permit} ${binds[permit]?.digest} ${within}`

/** Of the files that decide what is started: the configuration, and the user's settings. */
export const stampsOf = ({ runtime }: ToolCard, settingsFile: string): string =>
  [(runtime as McpRuntime).config, settingsFile].map(stampOf).join(' ')

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? 'none' : `${found.mtimeMs} ${found.size} ${found.ino}`
}

function liveTool(name: string, { annotations, inputSchema, outputSchema }: JsonObject): LiveTool {
  const claims = isJsonObject(annotations) ? annotations : {}
  const claimed = (hint: string, as: keyof ToolAnnotations) =>
    typeof claims[hint] === 'boolean' ? { [as]: claims[hint] } : {}
  return {
    name,
    annotations: { ...claimed('readOnlyHint', 'readOnly'), ...claimed('destructiveHint', 'destructive') },
    ...(isJsonObject(inputSchema) ? { inputSchema } : {}),
    ...(isJsonObject(outputSchema) ? { outputSchema } : {}),
  }
}

/** A call that has no answer yet. */
type CallUnderWay = {
  /** The server may have read it. Surely not, as long as it did not answer what was sent before. */
  isRead: boolean
  /** Nobody waits for it any more; the server may still be at it. */
  isGivenUp: boolean
}

/** Calls of one server that have no answer, so that one which makes it silent is not confused with those beside it. */
type CallsUnderWay = {
  /** @param onTurn - called when the server came to this call, if it was at another one before */
  begin(onTurn?: () => void): CallUnderWay
  answered(call: CallUnderWay): void
  /** The server answered something: what nobody waits for did not silence it. */
  answeredSomething(): void
  /** Whether no other call can be why the server is silent, or gone. */
  isAlone(call: CallUnderWay, how: 'silent' | 'gone'): boolean
  /** Whether the server has read no other call, so that nothing is lost when it is ended. */
  areOthersUnread(call: CallUnderWay): boolean
}

export function callsUnderWay({
  answers,
  isProcess,
}: Pick<ServerSession, 'answers' | 'isProcess'>): CallsUnderWay {
  const open = new Set<CallUnderWay>()
  const others = (call: CallUnderWay): readonly CallUnderWay[] => [...open].filter((one) => one !== call)
  const areOthersUnread = (call: CallUnderWay): boolean => others(call).every(({ isRead }) => !isRead)
  return {
    begin(onTurn) {
      // A process reads its stdin in order: while it does not answer a ping, it has not read the call behind that.
      const isAsked = isProcess && open.size > 0
      const call = { isRead: !isAsked, isGivenUp: false }
      if (isAsked)
        void answers().then((did) => {
          call.isRead ||= did
          if (did) onTurn?.()
        })
      open.add(call)
      return call
    },
    answered: (call) => void open.delete(call),
    answeredSomething() {
      for (const call of open) if (call.isGivenUp) open.delete(call)
    },
    // A process that ends takes answers with it that it gave before: then nothing tells what it had read.
    isAlone: (call, how) =>
      call.isRead && (how === 'gone' ? others(call).length === 0 : areOthersUnread(call)),
    areOthersUnread,
  }
}
