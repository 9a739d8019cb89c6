import { join } from 'node:path'
import type { DamageCase } from './one-case.ts'
import { filesIn, harms } from './harms.ts'

/** Of so many cases one is run as users have it, which takes twenty times as long: no multiple of the number of harms, so that all have their turn. */
const casesPerApart = 293

/** Every file of a store, in every way; every other time somebody indexes first. */
export const singleCases = (home: string): readonly DamageCase[] =>
  filesIn(home).flatMap((file, row) =>
    harms.map((harm, at) => ({
      name: `${file}: ${harm.name}`,
      harm: (damaged: string) => harm.do(join(damaged, file)),
      indexedFirst: (row + at) % 2 === 1,
      isApart: (row * harms.length + at) % casesPerApart === 0,
    })),
  )

/**
 * Several files at once: two to six of them, each in a way of its own.
 *
 * @param random - from 0 to 1
 */
export function severalCases(home: string, count: number, random: () => number): readonly DamageCase[] {
  const files = filesIn(home)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  return Array.from({ length: count }, (_, turn) => {
    const hit = new Map(
      Array.from({ length: 2 + Math.floor(random() * 5) }, () => [pick(files), pick(harms)]),
    )
    return {
      name: `${hit.size} files: ${[...hit].map(([file, harm]) => `${file} ${harm.name}`).join('; ')}`,
      harm(damaged) {
        for (const [file, harm] of hit) harm.do(join(damaged, file))
      },
      indexedFirst: turn % 2 === 1,
      isApart: turn % casesPerApart === 0,
    }
  })
}

/** A case by tables and parts: the names of files are random. */
export const shortName = (name: string): string =>
  name
    .replace(/(?<=\/)[\da-f]{20,}(?=\.lance)|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '*')
    .replace(/-\d{8}T\d{6}Z-[\da-f]{12}(?=\.lance)/g, '')
