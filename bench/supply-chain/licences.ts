import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LockedPackage } from './lock-file.ts'

/** Which licences packages may have: the shape of `licences.json`. */
export type LicenceRules = {
  /** SPDX identifiers. */
  readonly allowed: readonly string[]
  /** Packages that may have another one, or state none. */
  readonly exceptions: readonly LicenceException[]
}

type LicenceException = {
  /** A name; a star at its end stands for any letters. */
  readonly package: string
  /** What it states, word for word; null for nothing. */
  readonly licence: string | null
  readonly reason: string
}

/** A package with its licence, and why it may be used; null when it may not. */
type LicensedPackage = {
  readonly name: string
  readonly version: string
  readonly licence: string | null
  readonly reason: string | null
}

/**
 * Judges packages by what they state themselves: their manifest where they are installed, else the lock file.
 *
 * @returns by name
 */
export function licencesOf(
  packages: readonly LockedPackage[],
  rules: LicenceRules,
  root: string,
): readonly LicensedPackage[] {
  return packages
    .map((locked) => {
      const licence = licenceOf(join(root, locked.path, 'package.json')) ?? locked.licence
      return {
        name: locked.name,
        version: locked.version,
        licence,
        reason: reasonFor(locked.name, licence, rules),
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** Exceptions that no package needs any more. */
export const needless = (
  packages: readonly LicensedPackage[],
  { allowed, exceptions }: LicenceRules,
): readonly LicenceException[] =>
  exceptions.filter(
    (exception) =>
      !packages.some(
        ({ name, licence }) =>
          (licence === null || !isAllowed(licence, allowed)) && isMeant(exception, name, licence),
      ),
  )

/** As of today (`license`), or as manifests said it long ago (`licenses`, of which a user may choose). */
function licenceOf(manifest: string): string | null {
  if (!existsSync(manifest)) return null
  const { license, licenses } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    license?: string | { type?: string }
    licenses?: readonly { type?: string }[]
  }
  const stated = (typeof license === 'object' ? license.type : license) ?? null
  return stated ?? (licenses?.map(({ type }) => type ?? '?').join(' OR ') || null)
}

function reasonFor(
  name: string,
  licence: string | null,
  { allowed, exceptions }: LicenceRules,
): string | null {
  if (licence !== null && isAllowed(licence, allowed)) return 'allowed'
  return exceptions.find((exception) => isMeant(exception, name, licence))?.reason ?? null
}

const isMeant = (exception: LicenceException, name: string, licence: string | null): boolean =>
  exception.licence === licence &&
  (exception.package.endsWith('*')
    ? name.startsWith(exception.package.slice(0, -1))
    : name === exception.package)

/**
 * Whether an SPDX expression of one kind of operator leaves a choice that is allowed. Expressions that mix OR and AND
 * are not read: they are for a person to judge.
 */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const bare = /^\((.*)\)$/.exec(expression.trim())?.[1] ?? expression.trim()
  const among = (part: string): boolean => allowed.includes(part.trim())
  const [choices, parts] = [bare.split(/ OR /i), bare.split(/ AND /i)]
  if (/[()]/.test(bare) || (choices.length > 1 && parts.length > 1)) return false
  return choices.length > 1 ? choices.some(among) : parts.every(among)
}
