import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Connection, Table } from '@lancedb/lancedb'

/** The table that says which table is meant. */
const pointerOf = (name: string): string => `${name}-root`

/**
 * A table in object storage that several writers may make at the same time, each the first for all it knows. LanceDB lets the later of
 * them write over what the earlier has made, and committed to since. So each makes a table of its own, and then a pointer to it; what
 * the very first version of the pointer says is what holds, since there is only one, and nothing is ever written over it.
 *
 * @returns the table; null when there is none
 */
export async function openPointed(connection: Connection, name: string): Promise<Table | null> {
  const pointer = await openPointer(connection, pointerOf(name))
  // In a store of layout 1 there was none.
  if (pointer === null) return openTable(connection, name)
  try {
    if ((await pointer.version()) !== 1) await pointer.checkout(1)
    const [row] = (await pointer.query().toArray()) as { name: string }[]
    if (row === undefined) throw new Error(`the table "${pointerOf(name)}" says nothing`)
    return await connection.openTable(row.name)
  } finally {
    pointer.close()
  }
}

/** A pointer that is being made has files and no version yet, for a moment; for so long it is waited for. */
const looks = { most: 10, pauseMs: 300 } as const

/** @returns null also of a pointer whose maker ended before its first version: it says nothing, and may be made again */
async function openPointer(connection: Connection, pointer: string): Promise<Table | null> {
  for (let look = 1; ; look += 1) {
    try {
      return await openTable(connection, pointer)
    } catch (error) {
      if (!(error instanceof Error && /not found: \S*_versions\b/i.test(error.message))) throw error
      if (look === looks.most) return null
      await setTimeout(looks.pauseMs)
    }
  }
}

/**
 * Makes such a table, unless somebody else was first.
 *
 * @param make - makes a table of the name it is given
 * @returns the table that was made first
 */
export async function makePointed(
  connection: Connection,
  name: string,
  make: (name: string) => Promise<Table>,
): Promise<Table> {
  const own = nameInTime(name, new Date())
  const made = await make(own)
  made.close()
  // Whoever is second is refused or writes a second version: the first one is looked at.
  const failure = await connection.createTable(pointerOf(name), [{ name: own }]).then(
    (pointer) => pointer.close(),
    (error: unknown) => error,
  )
  const first = await openPointed(connection, name)
  if (first === null) throw failure
  if (first.name !== own) await connection.dropTable(own).catch(() => undefined)
  return first
}

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

/** Opens a table, or null when there is none. One that is there and damaged is an error: it must not look like none. */
export async function openTable(connection: Connection, name: string): Promise<Table | null> {
  try {
    return await connection.openTable(name)
  } catch (error) {
    if (error instanceof Error && error.message.startsWith(`Table '${name}' was not found`)) return null
    throw error
  }
}
