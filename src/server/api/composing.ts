import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Composition } from '../../assembling/composition.ts'
import type { Audition } from '../../compose/audition.ts'
import { writtenProfiles } from '../../compose/shells/written-profiles.ts'
import { flagNames } from '../../domain/finding.ts'
import { contains } from '../../domain/paths.ts'
import { nameText, needText } from '../schemas.ts'
import { ApiError } from './api-error.ts'
import { endpoint } from './endpoint.ts'
import type { ComposedView } from './job-results.ts'
import { knownCard } from './finding.ts'

/** Puts agents together, as `audition compose` does. */
export const compose = endpoint({
  does: 'Puts agents together for a task, from the tools of your servers. Nothing is written or run.',
  effect: 'changes',
  input: z.strictObject({
    task: needText().describe('The whole task.'),
    k: z.number().int().min(1).max(10).default(5).describe('Profiles.'),
  }),
  handle: async ({ task, k }, { app, jobs }) =>
    jobs.start('compose', task, async ({ signal }) => inShort(await app.compose(task, { k, signal }))),
})

const inShort = ({ profiles, ...rest }: Composition): ComposedView => ({
  ...rest,
  profiles: profiles.map(({ tools, ...profile }) => ({
    ...profile,
    tools: tools.map(({ id, name, description, flags }) => ({
      id,
      name,
      description,
      flags: flagNames({ flags }),
    })),
  })),
})

/** Where composed profiles are kept: beside the user's settings, as files of theirs. */
async function keptFolder(app: Audition): Promise<string> {
  const { file } = await (await app.probing()).settings()
  return join(dirname(file), 'composed')
}

/** Writes one, so that it can be run: `audition compose --write`. */
export const keep = endpoint({
  does: 'Writes a composed profile into your folder of composed agents, and indexes it, so that it can be run.',
  effect: 'changes',
  who: 'owner',
  input: z.strictObject({
    job: nameText().describe('The composition.'),
    name: nameText().describe('The profile.'),
  }),
  async handle({ job, name }, { app, jobs }) {
    const found = jobs.find(job)
    const profile =
      found.kind === 'compose' ? found.result?.profiles.find((one) => one.name === name) : undefined
    if (profile === undefined)
      throw new ApiError(404, `The composition has no profile "${name}".`, 'Compose it again.')
    const { written, notes } = await writtenProfiles([profile], await keptFolder(app), app)
    return { file: written[0]?.file ?? '', card: written[0]?.card?.id ?? null, notes }
  },
})

/** Takes it away again. */
export const discard = endpoint({
  does: 'Removes the file of a composed profile that was kept, and takes it out of search.',
  effect: 'changes',
  who: 'owner',
  input: z.strictObject({ card: nameText() }),
  async handle({ card }, context) {
    const { app } = context
    const folder = await keptFolder(app)
    const { location } = (await knownCard(context, card)).provenance
    if (!contains({ folder, path: location }))
      throw new ApiError(422, `"${card}" is no agent that was composed here.`, 'Remove its file yourself.')
    await rm(location)
    await app.index({ locations: [folder], harvest: 'unwanted' })
    return { removed: location }
  },
})
