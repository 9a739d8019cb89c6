import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Audition, openAudition } from '../../../src/compose/app.ts'
import { configFrom } from '../../../src/config.ts'
import { NoIndexError } from '../../../src/retrieval/ports.ts'

const tools = 60
const agents = 24

/** Writes the catalog of an edition: every card says which, and each edition adds some cards and takes some away. */
export function writeEdition(folder: string, edition: number): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'crew'), { recursive: true })
  const functions = Array.from({ length: tools }, (_, at) => ({
    type: 'function',
    function: {
      name: `tool_${at + (edition % 7)}`,
      description: `Sends parcel number ${at} to its address. Edition ${edition}.`,
      parameters: { type: 'object', properties: { weight: { type: 'number', description: 'in grams' } } },
    },
  }))
  writeFileSync(join(folder, 'parcels.json'), JSON.stringify(functions))
  for (let at = 0; at < agents; at += 1) {
    const name = `clerk-${at + (edition % 5)}`
    const text = `---\nname: ${name}\ndescription: Reviews contract number ${at}. Edition ${edition}.\n---\nRead it.\n`
    writeFileSync(join(folder, 'crew', `${name}.md`), text)
  }
}

/** What a store holds: one edition, nothing, or something that no commit ever was. */
export type Found =
  | { readonly kind: 'edition'; readonly edition: number }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'torn'; readonly why: string }

/** Opens Audition over a store, as the program does. */
export async function withAudition<T>(home: string, use: (audition: Audition) => Promise<T>): Promise<T> {
  const audition = openAudition(
    configFrom({ AUDITION_READER: 'none', AUDITION_HOME: home, AUDITION_SETTINGS: `${home}-settings.yaml` }),
  )
  try {
    return await use(audition)
  } finally {
    await audition.close()
  }
}

/** Searches a store for all it has, and tells which edition that is. */
export const editionIn = (home: string): Promise<Found> =>
  withAudition(home, async (audition) => {
    try {
      const answers = [
        await audition.search({ kind: 'tool', query: 'send a parcel to its address', k: tools }),
        await audition.search({ kind: 'agent', query: 'review a contract', k: agents }),
      ]
      const { tools: allTools, agents: allAgents } = await audition.counts()
      const ids = [
        ...(await audition.completeIds('', 1000, 'tool')),
        ...(await audition.completeIds('', 1000, 'agent')),
      ]
      const cards = await audition.cards(ids)
      const editions = new Set(cards.map(({ description }) => Number(/Edition (\d+)/.exec(description)?.[1])))
      const [edition = Number.NaN] = editions
      const torn = (why: string): Found => ({ kind: 'torn', why })
      if (editions.size !== 1) return torn(`cards of editions ${[...editions].join(', ')}`)
      if (allTools !== tools || allAgents !== agents || cards.length !== tools + agents)
        return torn(`${allTools} tools, ${allAgents} agents, ${cards.length} cards`)
      const found = answers.flatMap(({ candidates }) => candidates)
      if (found.length === 0) return torn('a search that finds nothing')
      if (found.some(({ card }) => !card.description.includes(`Edition ${edition}.`)))
        return torn('a search that finds cards of another edition')
      return { kind: 'edition', edition }
    } catch (error) {
      if (error instanceof NoIndexError) return { kind: 'nothing' }
      return { kind: 'torn', why: error instanceof Error ? error.message : String(error) }
    }
  })

/** What `doctor` calls damage; what killed runs leave, and the next one removes, is none. */
export const damageIn = (home: string): Promise<readonly string[]> =>
  withAudition(home, async (audition) => {
    const { steps } = await audition.repair({ intent: 'look' })
    return steps.filter(({ kind }) => kind !== 'tidy').map(({ message }) => message)
  })
