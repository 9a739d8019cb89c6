import { join } from 'node:path'
import type { DamageCase } from './one-case.ts'
import { filesIn, harms } from './harms.ts'

/** Every file of a store, in every way; every other time somebody indexes first. */
export const singleCases = (home: string): readonly DamageCase[] =>
  filesIn(home).flatMap((file, row) =>
    harms.map((harm, at) => ({
      name: `${shortName(file)}: ${harm.name}`,
      harm: (damaged: string) => harm.do(join(damaged, file)),
      indexedFirst: (row + at) % 2 === 1,
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
      name: `${hit.size} files: ${[...hit].map(([file, harm]) => `${shortName(file)} ${harm.name}`).join('; ')}`,
      harm(damaged) {
        for (const [file, harm] of hit) harm.do(join(damaged, file))
      },
      indexedFirst: turn % 2 === 1,
    }
  })
}

/** A file by its table and part: its own name is random. */
const shortName = (file: string): string =>
  file.replace(/(?<=\/)[\da-f]{20,}(?=\.lance)|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '*')
