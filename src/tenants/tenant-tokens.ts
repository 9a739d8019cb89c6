import { createHash, randomBytes } from 'node:crypto'
import type { Tenant, Tenants } from './tenants-file.ts'

/** The beginning of every token, so that scanners of secrets know one where it leaked. */
const prefix = 'audition_'
/** A token as it is sent: 256 random bits, so that a plain hash keeps it. */
const tokenShape = /^audition_[\w-]{43}$/

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A new token, to be shown once, and what is kept of it. */
export function newToken(
  now: Date,
  days?: number,
): { readonly token: string; readonly kept: Tenant['tokens'][number] } {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`
  const expiresAt = days === undefined ? undefined : new Date(now.getTime() + days * 86_400_000).toISOString()
  return {
    token,
    kept: {
      id: randomBytes(4).toString('hex'),
      sha256: sha256(token),
      addedAt: now.toISOString(),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    },
  }
}

/** Whose token it is; null for one that is unknown, has ended, or is of a tenant that was removed. */
export function tokenFinder(
  tenants: Tenants,
): (token: string, now: Date) => { readonly tenant: string; readonly id: string } | null {
  const known = new Map(
    [...tenants].flatMap(([tenant, { tokens, removedAt }]) =>
      removedAt === undefined ? tokens.map((token) => [token.sha256, { ...token, tenant }] as const) : [],
    ),
  )
  return (token, now) => {
    const found = tokenShape.test(token) ? known.get(sha256(token)) : undefined
    if (found === undefined) return null
    const isOver = found.expiresAt !== undefined && Date.parse(found.expiresAt) <= now.getTime()
    return isOver ? null : { tenant: found.tenant, id: found.id }
  }
}
