import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { AgentCard } from '../domain/card.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import { contentsOf } from '../hosts/config-text.ts'
import { claudeSkill } from './readers/claude-skill.ts'
import { openDocument } from './source-document.ts'

/** A file to write, its path inside the folder that takes it. */
export type AgentFile = { readonly way: readonly string[]; readonly text: string; readonly mode?: number }

/** Fields of front matter that are carried over. Those that grant rights, or name what may not be here, are not. */
const carried = ['disallowedTools', 'maxTurns', 'effort']

/**
 * A sub-agent of Claude Code, written from its card, which was scanned, and not from its file.
 *
 * @param tools - exact names; none: the agent may use every tool of its host
 * @returns the file, and what the card says that it does not
 */
export function subagentFile(
  card: AgentCard,
  tools: readonly string[],
): { readonly file: AgentFile; readonly leftOut: readonly string[] } {
  const { name, description, instructions = '', backbone, policy, servers } = card
  const slug = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  if (slug === '' || instructions === '')
    throw new RemedyError(`"${card.id}" has no instructions to write into a file.`, 'Choose another agent.')
  const isOfHost = backbone !== null && /^(?:sonnet|opus|haiku|claude-[\w.-]+)$/.test(backbone.name)
  const fields = {
    name: slug,
    description: description.trim(),
    ...(tools.length === 0 ? {} : { tools: tools.join(', ') }),
    ...(isOfHost ? { model: backbone.name } : {}),
    ...Object.fromEntries(carried.flatMap((one) => (policy[one] === undefined ? [] : [[one, policy[one]]]))),
  }
  // A text of JSON is one of YAML.
  const lines = Object.entries(fields).map(
    ([field, value]) => `${field}: ${field === 'name' ? slug : JSON.stringify(value)}`,
  )
  return {
    file: { way: [`${slug}.md`], text: ['---', ...lines, '---', '', instructions.trim(), ''].join('\n') },
    leftOut: [
      ...Object.keys(policy).filter((field) => !carried.includes(field)),
      ...(backbone !== null && !isOfHost ? [`model ${backbone.name}`] : []),
      ...Object.keys(servers ?? {}).map((server) => `server ${server}`),
    ],
  }
}

const mostFiles = 50
const mostCharacters = 256 * 1024

/**
 * The files of a skill's folder, `SKILL.md` first: texts alone, since nobody can look at the rest.
 *
 * @throws RemedyError where they are not what was indexed, or cannot be shown
 */
export function skillFiles(card: AgentCard): readonly AgentFile[] {
  const { location } = card.provenance
  const refuse = (what: string, remedy: string): never => {
    throw new RemedyError(`${location}: ${what}.`, remedy)
  }
  if (/^https?:/i.test(location) || basename(location).toLowerCase() !== 'skill.md')
    return refuse('is not the SKILL.md of a folder of this machine', 'Get its folder, and index that.')
  const { cards } = claudeSkill.read(openDocument(location))
  if (!isDeepStrictEqual(cards.map(said), [said(card)]))
    return refuse(
      'is not what was indexed',
      `Run \`audition index ${dirname(location)}\`, and look at it again.`,
    )
  const folder = dirname(location)
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  const strange = found.find((entry) => !entry.isFile() && !entry.isDirectory())
  if (strange !== undefined)
    return refuse(`its folder has "${strange.name}", which is no file`, 'Copy it by hand.')
  const paths = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  if (paths.length > mostFiles) return refuse(`its folder has ${paths.length} files`, 'Copy it by hand.')
  const files = paths
    .toSorted((one, other) => Number(other === location) - Number(one === location) || (one < other ? -1 : 1))
    .map((path): AgentFile => {
      const isProgram = (lstatSync(path).mode & 0o111) !== 0
      const way = [basename(folder), ...path.slice(folder.length + 1).split(/[\\/]/)]
      const read = contentsOf(path)
      if (read.kind !== 'text')
        return refuse(`its "${way.slice(1).join('/')}" is no text`, 'Copy it by hand.')
      return { way, text: read.text, ...(isProgram ? { mode: 0o755 } : {}) }
    })
  const size = files.reduce((sum, { text }) => sum + text.length, 0)
  return size > mostCharacters ? refuse('its folder is too large to look at', 'Copy it by hand.') : files
}

const said = ({
  name,
  description,
  instructions,
}: Pick<AgentCard, 'name' | 'description'> & {
  readonly instructions?: string
}) => ({ name, description, instructions })
