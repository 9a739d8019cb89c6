import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Audition } from '../../compose/audition.ts'
import { checkedBeforeJobs, countJobs, endJobs } from '../jobs/jobs.ts'
import { Mistake } from '../mistakes.ts'
import { forgetPages } from '../tools/calls/pages.ts'
import type { servedOver } from '../transport/served.ts'

/** What is opened of a tenant. */
type Parts = { readonly app: Audition; readonly served: ReturnType<typeof servedOver> }

/** A tenant's store that is open. */
export type OpenTenant = Parts & {
  /** Of the requests that are answered from it. */
  readonly responses: Set<ServerResponse>
  /** Bytes of its files, and when they were counted. */
  bytes: number
  measuredAt: number
}

/** The stores of tenants that are open in this process. */
export type TenantPool = {
  /** The store of a tenant; null when as many as may be are open, and all of them are in use. */
  open(name: string): OpenTenant | null
  /** Ends all that goes on over the store of a tenant, and closes it. */
  evict(name: string): Promise<void>
  names(): readonly string[]
  apps(): readonly Audition[]
  /** Closes all, once nothing runs. */
  close(): Promise<void>
}

/** @param most - stores that are open at once: beyond, the one longest unused makes room when nothing runs over it */
export function tenantPool(most: number, open: (name: string) => Parts): TenantPool {
  /** The one longest unused first. */
  const opened = new Map<string, OpenTenant>()
  const closing = new Set<Promise<void>>()
  const close = (name: string, { app, served }: OpenTenant): Promise<void> => {
    opened.delete(name)
    const closed = (async () => {
      forgetPages(app)
      await served.close()
      await app.close()
    })().finally(() => closing.delete(closed))
    closing.add(closed)
    return closed
  }
  return {
    open(name) {
      const known = opened.get(name)
      opened.delete(name)
      if (known === undefined && opened.size >= most) {
        const unused = [...opened].find(([, one]) => one.responses.size === 0 && countJobs(one.app) === 0)
        if (unused === undefined) return null
        close(...unused).catch((error: unknown) => console.error('audition: a store was not closed:', error))
      }
      const one = known ?? { ...open(name), responses: new Set(), bytes: 0, measuredAt: -Infinity }
      opened.set(name, one)
      return one
    },
    async evict(name) {
      const one = opened.get(name)
      if (one === undefined) return
      opened.delete(name) // nothing new begins
      checkedBeforeJobs(one.app, () => {
        throw new Mistake('This tenant is not served any more.')
      })
      for (const response of one.responses) response.destroy()
      await endJobs(one.app, AbortSignal.abort())
      await ended(one.responses)
      await close(name, one)
    },
    names: () => [...opened.keys()],
    apps: () => [...opened.values()].map(({ app }) => app),
    async close() {
      for (const [name, one] of opened) void close(name, one)
      await Promise.allSettled(closing)
    },
  }
}

const longestMs = 5_000
const everyMs = 20

/** Their signals were aborted: what still works on one is about to notice. */
async function ended(responses: ReadonlySet<ServerResponse>): Promise<void> {
  for (let waited = 0; responses.size > 0 && waited < longestMs; waited += everyMs) await wait(everyMs)
}
