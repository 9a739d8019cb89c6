import { resolve, join } from 'node:path'
import type { ComposedProfile } from '../../assembling/composition.ts'
import type { AgentCard } from '../../domain/card.ts'
import { withRemedy, RemedyError } from '../../domain/remedy-error.ts'
import type { Audition } from '../audition.ts'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { writingTo } from '../../evaluation/runs/writable.ts'

/** A composed profile as a file; `card` is null where it was not taken into search. */
type WrittenProfile = { readonly file: string; readonly card: AgentCard | null }

/** What became of profiles that were to be written. */
export type WrittenProfiles = {
  readonly written: readonly WrittenProfile[]
  /** Why some are not in search, a sentence each. */
  readonly notes: readonly string[]
}

/**
 * Writes profiles into a folder and indexes it. A file that says the same stays.
 *
 * @throws RemedyError as {@link writeTexts}
 */
export async function writtenProfiles(
  profiles: readonly Pick<ComposedProfile, 'name' | 'yaml'>[],
  given: string,
  audition: Pick<Audition, 'index' | 'cards'>,
): Promise<WrittenProfiles> {
  const files = await writeTexts(
    given,
    profiles.map(({ name, yaml }) => ({ name: `${name}.yaml`, text: yaml })),
  )
  const { sources, problems } = await audition.index({ locations: [resolve(given)], harvest: 'unwanted' })
  const ids = sources.flatMap(({ source }) => profiles.map(({ name }) => `${source}/${name}`))
  const cards = await audition.cards(ids)
  const written = files.map((file): WrittenProfile => {
    const card = cards.find(({ provenance }) => provenance.location === file)
    return { file, card: card?.kind === 'agent' ? card : null }
  })
  const faults = [...problems, ...sources.flatMap((source) => source.problems)].filter(
    ({ severity }) => severity === 'error',
  )
  return {
    written,
    notes: [
      ...faults.map(({ file, message, remedy }) => withRemedy(`${file}: ${message}`, remedy)),
      ...(written.some(({ card }) => card === null) && faults.length === 0
        ? ['Some are held: `audition sources` says why.']
        : []),
    ],
  }
}

/**
 * Writes files into a folder, which is made where it is not there. A file that says the same stays.
 *
 * @returns their paths, in the order given
 * @throws RemedyError when a file of that name says something else (nothing is written then), or the folder cannot be written
 */
export function writeTexts(
  given: string,
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<readonly string[]> {
  const folder = resolve(given)
  return writingTo(folder, async () => {
    const fresh = []
    for (const { name, text } of files) {
      const there = await textOf(join(folder, name))
      if (there === undefined) fresh.push({ file: join(folder, name), text })
      else if (there !== text)
        throw new RemedyError(
          `${join(folder, name)} is there already, and says something else.`,
          'Remove it, or name another folder. Nothing was written.',
        )
    }
    await mkdir(folder, { recursive: true })
    for (const { file, text } of fresh) await writeFile(file, text, { flag: 'wx' })
    return files.map(({ name }) => join(folder, name))
  })
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
