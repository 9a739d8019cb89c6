import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Audition } from '../../compose/audition.ts'
import { errorText } from '../../domain/remedy-error.ts'
import { type Quota, quotaOf } from '../../tenants/quota.ts'
import { tokenFinder } from '../../tenants/tenant-tokens.ts'
import type { Tenant, Tenants } from '../../tenants/tenants-file.ts'
import type { Surrounded } from '../asking/asker.ts'
import { checkedBeforeJobs, countJobs } from '../jobs/jobs.ts'
import { Mistake } from '../mistakes.ts'
import type { AccessTokens } from '../transport/access-tokens.ts'
import type { Served } from '../transport/answer-http.ts'
import { type CallerRate, callerRate, noTenant } from '../transport/http-callers.ts'
import { type Refusal, tooOften } from '../transport/http-guards.ts'
import type { HttpAccess } from '../transport/http-policy.ts'
import { type ClosableServedBy, servedOver } from '../transport/served.ts'
import { type OpenTenant, type TenantPool, tenantPool } from './tenant-pool.ts'

/** Who is served, and how the store of each is opened. */
export type TenantsToServe = {
  /** The claim of access tokens that names the tenant. */
  readonly claim: string
  /** Stores that are open at once. */
  readonly mostOpen: number
  /** All tenants, as the file has them now. @throws TenantsError */
  current(): Promise<Tenants>
  /** Opens the store of a tenant. */
  open(name: string): Audition
  /** What is known of its callers. */
  surroundedBy(name: string): Surrounded | undefined
  /** What keeps a tenant from being served, though it is one; null when nothing does. */
  faultOf(name: string): Error | null
  /** Bytes that a tenant has on this disk. */
  bytes(name: string): Promise<number>
  /** Deletes what this machine keeps beside a store that lies elsewhere. */
  forget(name: string): Promise<void>
  close(): Promise<void>
}

/** What of the tenants decides who may call. */
export function accessOf(tenants: TenantsToServe | undefined): Pick<HttpAccess, 'tenants'> {
  if (tenants === undefined) return {}
  const { claim, current } = tenants
  const finders = new WeakMap<Tenants, ReturnType<typeof tokenFinder>>()
  const check: AccessTokens['check'] = async (token) => {
    try {
      const all = await current()
      const find = finders.get(all) ?? tokenFinder(all)
      finders.set(all, find)
      const found = find(token, new Date())
      if (found === null) return { kind: 'refused' }
      return { kind: 'accepted', subject: `token ${found.id}`, tenant: found.tenant }
    } catch (error) {
      return { kind: 'unavailable', error }
    }
  }
  return { tenants: { claim, tokens: { check } } }
}

/** How often it is looked for tenants that were removed, in milliseconds. */
const lookMs = 1_000

/**
 * Serves each caller from the store of its tenant. Nothing is shared between two of them but the models, so that what one is told cannot
 * depend on another: requests, sessions, jobs and pages are each store's own.
 *
 * @throws TenantsError when the file of tenants cannot be read
 */
export async function servedTenants(tenants: TenantsToServe): Promise<ClosableServedBy> {
  const pool = tenantPool(tenants.mostOpen, (name) => {
    const app = tenants.open(name)
    const surrounded = tenants.surroundedBy(name)
    return { app, served: servedOver(app, surrounded === undefined ? {} : { surrounded }) }
  })
  const rates = ratesOf()
  const log = logger()
  const look = droppingRemoved(tenants, pool, { rates, log })
  await look()
  const timer = setInterval(() => void look().catch(log), lookMs).unref()
  return {
    page: {},
    // Open to all: it tells that there are tenants, not which.
    ready: async () => (await tenants.current()) && {},
    async servedFor(name, response) {
      const tenant = name === null ? null : await servable(name, tenants, log)
      if (tenant === undefined) return notNow
      if (name === null || tenant === null) return noTenant
      const fault = tenants.faultOf(name)
      if (fault !== null) {
        log(fault)
        return notNow
      }
      const quota = quotaOf(tenant.quota)
      const take = () => rates.take(name, quota.requests)
      const seconds = take()
      if (seconds > 0) return tooOften(seconds)
      const opened = await openWithin(pool, name, response)
      if (opened === null) return full
      if (opened.responses.size >= quota.open) return tooManyOpen(quota.open)
      boundJobs(opened, quota, () => tenants.bytes(name))
      const served = servedUntil(opened, response)
      return (await servable(name, tenants, log)) === null ? noTenant : { ...served, take } // it may have waited
    },
    apps: () => pool.apps(),
    async close() {
      clearInterval(timer)
      await pool.close()
      await tenants.close()
    },
  }
}

type Log = (error: unknown) => void

/** Says on stderr what is wrong, once as long as it is the same. */
function logger(): Log {
  let logged = ''
  return (error) => {
    const said = errorText(error)
    if (said !== logged) console.error(`audition: ${said}`)
    logged = said
  }
}

/** Null when none by that name is served; undefined while nobody can tell. */
async function servable(name: string, tenants: TenantsToServe, log: Log): Promise<Tenant | null | undefined> {
  const all = await tenants.current().catch(log)
  if (all === undefined) return undefined
  const tenant = all.get(name)
  return tenant?.removedAt === undefined ? (tenant ?? null) : null
}

/** Looks for tenants that were removed, and drops what is held of each once. */
function droppingRemoved(
  tenants: TenantsToServe,
  pool: TenantPool,
  { rates, log }: { readonly rates: ReturnType<typeof ratesOf>; readonly log: Log },
): () => Promise<void> {
  const dropped = new Set<string>()
  const drop = async (name: string): Promise<void> => {
    rates.forget(name)
    await pool.evict(name)
    await tenants.forget(name)
  }
  return async () => {
    const all = await tenants.current()
    for (const [name, { removedAt }] of all) {
      if (removedAt === undefined) continue
      if (dropped.has(`${name} ${removedAt}`) && !pool.names().includes(name)) continue
      dropped.add(`${name} ${removedAt}`)
      await drop(name).catch((error: unknown) => {
        dropped.delete(`${name} ${removedAt}`)
        log(error)
      })
    }
    for (const name of pool.names()) if (!all.has(name)) await pool.evict(name)
  }
}

/** Milliseconds that a caller waits for a place among the open stores, and how often it is looked. */
const placeMs = { longest: 5_000, every: 25 } as const

/** As the pool opens it, or null when no place came free in time. */
async function openWithin(
  pool: TenantPool,
  name: string,
  response: ServerResponse,
): Promise<OpenTenant | null> {
  for (let waited = 0; waited < placeMs.longest && !response.closed; waited += placeMs.every) {
    const opened = pool.open(name)
    if (opened !== null) return opened
    await wait(placeMs.every)
  }
  return null
}

/** A store that is being asked stays open. */
function servedUntil({ served, responses }: OpenTenant, response: ServerResponse): Served {
  if (!response.closed) {
    responses.add(response)
    response.once('close', () => responses.delete(response))
  }
  return served
}

/** How often all callers of each tenant may ask together. */
function ratesOf() {
  const known = new Map<string, { readonly perMinute: number; readonly rate: CallerRate }>()
  return {
    take(name: string, perMinute: number): number {
      let one = known.get(name)
      if (one?.perMinute !== perMinute) {
        one = { perMinute, rate: callerRate(perMinute) }
        known.set(name, one)
      }
      return one.rate.take(name)
    },
    forget: (name: string) => void known.delete(name),
  }
}

/** How old a measure of a tenant's files may be, in milliseconds. */
const measuredMs = 10_000

/** Has jobs start within the quota, as it is now. Files are measured beside the requests. */
function boundJobs(opened: OpenTenant, quota: Quota, bytesOf: () => Promise<number>): void {
  const now = performance.now()
  if (now - opened.measuredAt > measuredMs) {
    opened.measuredAt = now
    void bytesOf().then(
      (bytes) => (opened.bytes = bytes),
      () => undefined, // a file that goes while it is measured: the next time
    )
  }
  checkedBeforeJobs(opened.app, () => {
    if (quota.jobs === 0)
      throw new Mistake('Probes, evaluations, compositions and runs of agents are not open to this tenant.')
    if (countJobs(opened.app) >= quota.jobs)
      throw new Mistake(
        `This tenant may run ${quota.jobs} of probes, evaluations, compositions and runs of agents at once, and does. Wait for one to end.`,
      )
    if (opened.bytes > quota.megabytes * 1e6)
      throw new Mistake(
        `This tenant keeps ${Math.round(opened.bytes / 1e6)} MB, and may keep ${quota.megabytes}: nothing new is run. Whoever runs the server can make room.`,
      )
  })
}

const notNow: Refusal = {
  status: 503,
  message: 'This tenant cannot be served at the moment. Whoever runs the server finds out why in its log.',
  headers: { 'retry-after': '5' },
}

const full: Refusal = {
  status: 503,
  message: 'Busy: as many tenants are being served as fit. Try again in a second.',
  headers: { 'retry-after': '1' },
}

const tooManyOpen = (most: number): Refusal => ({
  status: 429,
  message: `Too many requests of this tenant are open: ${most} at most.`,
  headers: { 'retry-after': '1' },
})
