import { resolve } from 'node:path'
import type { ComposedProfile } from '../../assembling/composition.ts'
import type { AgentCard } from '../../domain/card.ts'
import { withRemedy } from '../../domain/remedy-error.ts'
import type { Audition } from '../audition.ts'
import { writeTexts } from './write-texts.ts'

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
