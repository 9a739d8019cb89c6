import { join } from 'node:path'
import { damageIn, editionIn, withAudition, writeEdition } from './catalogs.ts'
import type { Place } from './fault.ts'
import { type Call, type Ended, runProgram } from './run-program.ts'

export const homeIn = ({ folder }: Place): string => join(folder, 'home')
export const sourceIn = ({ folder }: Place): string => join(folder, 'source')

/** Calls the program on the place's store. */
export const call = (
  place: Place,
  words: readonly string[],
  more: Partial<Omit<Call, 'program' | 'words'>> = {},
): Promise<Ended> => runProgram({ program: place.program, words, home: homeIn(place), ...more })

/** Writes an edition of the catalog and indexes it. */
export async function indexEdition(place: Place, edition: number): Promise<void> {
  writeEdition(sourceIn(place), edition)
  await withAudition(homeIn(place), (audition) => audition.index({ locations: [sourceIn(place)] }))
}

/** What is wrong when this edition should be what a search finds, and nothing be damaged. */
export async function notEdition(home: string, edition: number): Promise<readonly string[]> {
  const found = await editionIn(home)
  return [
    ...(found.kind === 'edition' && found.edition === edition
      ? []
      : [`edition ${edition} is not what is found: ${JSON.stringify(found)}`]),
    ...(await damageIn(home)).map((message) => `damage: ${message}`),
  ]
}

/** What is wrong when the next run, with nothing done by hand before, should go through. */
export async function notIndexable(place: Place, edition: number): Promise<readonly string[]> {
  try {
    await indexEdition(place, edition)
    return await notEdition(homeIn(place), edition)
  } catch (error) {
    return [`the next run fails: ${(error as Error).message}`]
  }
}
