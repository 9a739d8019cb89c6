import type { AgentCard } from '../../domain/card.ts'
import type { AuditionLibrary } from '../open-audition.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { findAmong, type HostSearchOptions } from './tool-search.ts'

/** A skill as Google's ADK has it. */
type Skill = {
  frontmatter: { name: string; description: string }
  instructions: string
}

/**
 * Google ADK JS: a `SkillRegistry` for `new SkillToolset([], { registry })`.
 *
 * @param source - skills in memory, as `loadSkillFromDir` gives them; or Audition, for the skills of the user's index
 */
export function adkSkillRegistry<Own extends Skill>(
  source: readonly Own[] | Pick<AuditionLibrary, 'search' | 'cards'>,
  options: HostSearchOptions = {},
) {
  const { search, get } = 'search' in source ? inIndex(source, options) : inMemory(source, options)
  return {
    searchSkills: async (query: string) => (await search(query)).map(({ frontmatter }) => frontmatter),
    async getSkill(name: string): Promise<Own | Skill> {
      const skill = await get(name)
      if (skill !== undefined) return skill
      throw new RemedyError(`There is no skill "${name}".`, 'Take a name that search_skills gave.')
    },
    searchToolDescription: (): string =>
      'Finds skills by what they do. Say in plain words what has to be done. Best first.',
  }
}

type Skills<Own> = {
  readonly search: (query: string) => Promise<readonly Own[]>
  readonly get: (name: string) => Promise<Own | undefined>
}

const inMemory = <Own extends Skill>(skills: readonly Own[], options: HostSearchOptions): Skills<Own> => ({
  search: async (query) =>
    (await findAmong(skills, ({ frontmatter }) => listedOf(frontmatter), { ...options, query })).tools,
  get: async (name) => skills.find(({ frontmatter }) => frontmatter.name === name),
})

const listedOf = ({ name, description }: Skill['frontmatter']) => ({ name, description })

function inIndex(
  audition: Pick<AuditionLibrary, 'search' | 'cards'>,
  { k = 5 }: HostSearchOptions,
): Skills<Skill> {
  const filter = { agentKinds: ['skill'] }
  const found = async (query: string, most: number): Promise<readonly Skill[]> => {
    const { candidates } = await audition.search({ kind: 'agent', query, k: most, filter })
    const cards = await audition.cards(candidates.map(({ card }) => card.id))
    return cards.flatMap((card) => (card.kind === 'agent' ? [skillOf(card)] : []))
  }
  return {
    search: (query) => found(query, k),
    // Names are words of the card, so that a search for one has it among the first.
    get: async (name) =>
      (await found(name.replaceAll('-', ' '), 20)).find((one) => one.frontmatter.name === name),
  }
}

const skillOf = ({ name, description, instructions = '' }: AgentCard): Skill => ({
  frontmatter: { name: kebab(name), description },
  instructions,
})

/** ADK takes names of lower-case words and hyphens alone. */
const kebab = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
