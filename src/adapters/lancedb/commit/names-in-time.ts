import { randomBytes } from 'node:crypto'

/**
 * A name that nobody else gives, which tells when it was given: `tools-20261123T084502Z-3f2a9c1b0d4e`. What a commit writes before its
 * head names it is called so, and is told from what a killed process left by its age.
 */
export const nameInTime = (stem: string, now: Date): string =>
  `${stem}-${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z-${randomBytes(6).toString('hex')}`

/** @returns when such a name was given, in milliseconds since 1970; null of another name */
export function timeOfName(name: string): number | null {
  const [, year, month, day, hour, minute, second] =
    /-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z-[0-9a-f]{12}$/.exec(name) ?? []
  return year === undefined ? null : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** @returns what a name was given for; the name itself when it is none of these */
export const stemOfName = (name: string): string => name.replace(/-\d{8}T\d{6}Z-[0-9a-f]{12}$/, '')
