import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { RemedyError } from '../domain/remedy-error.ts'
import { type QuotaName, quotaFields, quotaNames } from './quota.ts'

/** Small letters, digits and dashes: nothing that two systems read in two ways, and no path. */
const plainName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Names that Windows takes for devices, in any folder. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/**
 * Whether a value is the name of a tenant: 1 to 63 small letters, digits and dashes, no dash at either end. Capitals are no other way to
 * write it: where names are folded, two that a login tells apart would be one.
 */
export const isTenantName = (name: unknown): name is string =>
  typeof name === 'string' && plainName.test(name) && !device.test(name)

export const tenantNameRule =
  'Write 1 to 63 small letters, digits and dashes, with no dash at either end, such as acme or team-7.'

/** The file of tenants, or a tenant in it, cannot be used. */
export class TenantsError extends RemedyError {
  override readonly name = 'TenantsError'
}

const time = z.iso.datetime()
const quotaShape = z.strictObject(
  Object.fromEntries(
    quotaNames.map((name) => {
      const { least, most } = quotaFields[name]
      return [name, z.int().min(least).max(most).optional()]
    }),
  ) as unknown as { readonly [name in QuotaName]: z.ZodOptional<z.ZodNumber> },
)
const tenantShape = z.strictObject({
  addedAt: time,
  /** Bounds that differ from the defaults. */
  quota: quotaShape.default({}),
  tokens: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9]{1,32}$/),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        addedAt: time,
        expiresAt: time.optional(),
      }),
    )
    .default([]),
  /** Nobody is served any more, and servers that see it drop what they hold. */
  removedAt: time.optional(),
})
const fileShape = z.strictObject({
  version: z.literal(1),
  tenants: z.record(
    z.string().refine(isTenantName, `is no name of a tenant. ${tenantNameRule}`),
    tenantShape,
  ),
})

/** One tenant, as the file has it. */
export type Tenant = z.output<typeof tenantShape>
/** All tenants by name, those that were removed and not yet forgotten too. */
export type Tenants = ReadonlyMap<string, Tenant>

/** @throws TenantsError naming the file, and the field that is wrong */
export async function readTenants(file: string): Promise<Tenants> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'is not there' : `cannot be read: ${cause.message}`
    throw new TenantsError(`The file of tenants, ${file}, ${why}.`, firstTenant, { cause })
  })
  return tenantsIn(text, file)
}

const firstTenant = '`audition tenants add <name> --base <base>` makes it, with its first tenant.'

/** @throws TenantsError */
export function tenantsIn(text: string, file: string): Tenants {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new TenantsError(`${file} is no JSON.`, 'Mend it, or put back a copy.', { cause })
  }
  const parsed = fileShape.safeParse(value)
  if (parsed.success) return new Map(Object.entries(parsed.data.tenants))
  const [issue] = parsed.error.issues
  const { message } = issue?.code === 'invalid_key' ? issue.issues[0]! : issue!
  throw new TenantsError(
    `${file}, ${issue?.path.join('.')}: ${message.replace(/\.$/, '')}.`,
    'Mend it, or put back a copy.',
  )
}

const tries = { most: 100, pauseMs: 50 } as const

/**
 * Changes the file as a whole, one process at a time. It is made when it is not there.
 *
 * @param change - gets all tenants, and gives what they are to be
 * @throws TenantsError when it cannot be read or written, or what `change` throws: then nothing is changed
 */
export async function changeTenants(
  file: string,
  change: (tenants: Map<string, Tenant>) => Tenants,
): Promise<Tenants> {
  await mkdir(dirname(file), { recursive: true })
  return locked(`${file}.lock`, async () => {
    const known = await readTenants(file).catch((error: unknown) => {
      if (error instanceof TenantsError && (error.cause as NodeJS.ErrnoException)?.code === 'ENOENT')
        return new Map<string, Tenant>()
      throw error
    })
    const tenants = change(new Map(known))
    const beside = `${file}.${randomUUID().slice(0, 8)}`
    const text = `${JSON.stringify({ version: 1, tenants: Object.fromEntries(tenants) }, null, 2)}\n`
    try {
      await writeFile(beside, text, { mode: 0o600, flag: 'wx' })
      await rename(beside, file)
    } finally {
      await rm(beside, { force: true })
    }
    return tenants
  })
}

async function locked<T>(lock: string, use: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await (await open(lock, 'wx')).close()
      break
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
      if (attempt === tries.most)
        throw new TenantsError(
          `${lock} is there: another command changes the tenants.`,
          'If none runs, remove it.',
          {
            cause,
          },
        )
    }
    await wait(tries.pauseMs)
  }
  try {
    return await use()
  } finally {
    await rm(lock, { force: true })
  }
}

/**
 * The tenants as their file has them at each call: it is read again when it changed.
 *
 * @returns a function that throws TenantsError while the file cannot be read: then nobody is served by what it said before
 */
export function followTenants(file: string): () => Promise<Tenants> {
  let known: { readonly mark: string; readonly tenants: Tenants } | undefined
  return async () => {
    const mark = await stat(file, { bigint: true }).then(
      ({ mtimeNs, size, ino }) => `${mtimeNs} ${size} ${ino}`,
      () => undefined,
    )
    if (mark === undefined || known?.mark !== mark) known = undefined
    if (known !== undefined) return known.tenants
    const tenants = await readTenants(file)
    if (mark !== undefined) known = { mark, tenants }
    return tenants
  }
}
