import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ComposedProfile } from '../../assembling/composition.ts'
import type { Audition } from '../../compose/audition.ts'
import type { AgentCard } from '../../domain/card.ts'
import { RemedyError, withRemedy } from '../../domain/remedy-error.ts'

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
 * @throws RemedyError when a file of that name says something else: nothing is written then
 */
export async function writtenProfiles(
  profiles: readonly ComposedProfile[],
  given: string,
  audition: Pick<Audition, 'index' | 'cards'>,
): Promise<WrittenProfiles> {
  const folder = resolve(given)
  const files = profiles.map(({ name, yaml }) => ({ name, yaml, file: join(folder, `${name}.yaml`) }))
  const fresh = []
  for (const one of files) {
    const there = await textOf(one.file)
    if (there === undefined) fresh.push(one)
    else if (there !== one.yaml)
      throw new RemedyError(
        `${one.file} is there already, and says something else.`,
        'Remove it, or name another folder. Nothing was written.',
      )
  }
  await mkdir(folder, { recursive: true })
  for (const { file, yaml } of fresh) await writeFile(file, yaml, { flag: 'wx' })
  const { sources, problems } = await audition.index({ locations: [folder], harvest: 'unwanted' })
  const ids = sources.flatMap(({ source }) => files.map(({ name }) => `${source}/${name}`))
  const cards = await audition.cards(ids)
  const written = files.map(({ file }): WrittenProfile => {
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

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
