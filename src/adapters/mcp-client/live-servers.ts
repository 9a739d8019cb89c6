import { boundsOf } from '../../domain/bounds.ts'
import type { LiveServer, LiveServers, OpenServer } from '../../probing/calls/ports.ts'
import { liveToolCheck } from '../../trust/review/check-live-tools.ts'
import type { PinnedCatalog } from '../../trust/review/known-servers.ts'
import {
  keyOf,
  keyOfCard,
  type Looking,
  launchKey,
  type OpenEntry,
  pingMs,
  type Starting,
  serverOf,
  stampsOf,
  startServer,
} from './live-server.ts'

/** How servers are kept. */
type LiveServerOptions = Starting & {
  readonly pinned: PinnedCatalog
  /** A server that nobody calls for so long is ended, ms. @defaultValue 5 minutes */
  readonly idleMs?: number
  /** A listing older than this is asked for again before the next call, ms. @defaultValue 5 minutes */
  readonly relistMs?: number
  /** Servers open at once; beyond it the one that was idle longest is ended. @defaultValue 32 */
  readonly most?: number
}

/**
 * MCP servers that stay open between calls: each is started by its first call, ended when nobody calls it for a while, and started
 * anew when it crashed, hangs, or when what decides its launch changed.
 */
export function liveServers(options: LiveServerOptions): LiveServers {
  const { idleMs = 5 * 60_000, relistMs = 5 * 60_000, most = 32, pinned } = options
  const kept = keptServers({ idleMs, most, check: liveToolCheck(pinned), relistMs })
  const starting = new Map<string, Promise<OpenEntry>>()
  const ending = new AbortController()

  async function opened(asked: OpenServer): Promise<OpenEntry> {
    const key = keyOfCard(asked.card)
    const wanted = launchKey(asked.launch)
    const before = kept.of(key)
    if (before !== undefined && before.launch !== wanted) await kept.retire(before, 'friendly')
    const live = await kept.usable(kept.of(key))
    if (live !== undefined) {
      live.stamps = stampsOf(asked.card, asked.settingsFile)
      return live
    }
    const under = `${key} ${wanted}`
    const already = starting.get(under)
    if (already !== undefined) return already
    const started = startServer(asked, { ...options, signal: ending.signal })
      .then((entry) => {
        kept.put(entry)
        return entry
      })
      .finally(() => starting.delete(under))
    starting.set(under, started)
    return started
  }

  return {
    async reuse(card, settingsFile, work) {
      const entry = kept.of(keyOfCard(card))
      if (entry === undefined || entry.stamps !== stampsOf(card, settingsFile)) return null
      const live = await kept.usable(entry)
      return live === undefined ? null : kept.use(live, work)
    },
    async open(asked, work) {
      // Who gives up waits no more; others may wait for the same start.
      const patience = boundsOf({ callers: [asked.signal] })
      const entry = await patience.orStopped(opened(asked)).finally(patience.release)
      return kept.use(entry, work)
    },
    async close() {
      ending.abort(new Error('Audition is closing'))
      await Promise.allSettled(starting.values())
      await kept.close()
    },
  }
}

/** The servers that are open, by their configuration and name. */
function keptServers({
  idleMs,
  most,
  ...looking
}: { readonly idleMs: number; readonly most: number } & Looking) {
  const entries = new Map<string, OpenEntry>()

  function retire(entry: OpenEntry, urgency: 'friendly' | 'now'): Promise<void> {
    entry.isRetired = true
    clearTimeout(entry.idle)
    const key = keyOf(entry.entry)
    if (entries.get(key) === entry) entries.delete(key)
    return entry.running === 0 || urgency === 'now' ? entry.session.close(urgency) : Promise.resolve()
  }

  function rest(entry: OpenEntry): void {
    entry.bounds.forgetBytes()
    entry.idle = setTimeout(() => void retire(entry, 'friendly'), idleMs).unref()
  }

  return {
    retire,
    of: (key: string) => entries.get(key),
    put(entry: OpenEntry): void {
      entries.set(keyOf(entry.entry), entry)
      rest(entry)
      if (entries.size <= most) return
      const idle = [...entries.values()].filter((one) => one.running === 0 && one !== entry)
      const [oldest] = idle.toSorted((a, b) => a.usedAt - b.usedAt)
      if (oldest !== undefined) void retire(oldest, 'friendly')
    },
    /** A server that may be used: alive, and answering again where it kept a call waiting. */
    async usable(entry: OpenEntry | undefined): Promise<OpenEntry | undefined> {
      if (entry === undefined) return undefined
      if (entry.session.isGone()) await retire(entry, 'now')
      else if (entry.isSuspect && !(await answersAgain(entry)))
        await retire(entry, entry.running > 0 ? 'friendly' : 'now')
      return entry.isRetired ? undefined : entry
    },
    async use<T>(entry: OpenEntry, work: (server: LiveServer) => Promise<T>): Promise<T> {
      entry.running += 1
      clearTimeout(entry.idle)
      try {
        return await work(serverOf(entry, looking, (urgency) => void retire(entry, urgency)))
      } finally {
        entry.running -= 1
        entry.usedAt = performance.now()
        if (entry.session.isGone()) await retire(entry, 'now')
        else if (entry.running > 0) entry.bounds.forgetBytes()
        else if (entry.isRetired) await entry.session.close('friendly')
        else rest(entry)
      }
    },
    close: async () => {
      await Promise.all([...entries.values()].map((entry) => retire(entry, 'now')))
    },
  }
}

async function answersAgain(entry: OpenEntry): Promise<boolean> {
  if (!(await entry.session.answers(pingMs))) return false
  entry.isSuspect = false
  entry.calls.answeredSomething()
  return true
}
