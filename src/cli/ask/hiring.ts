import { shellWord } from '../../domain/text/shell-word.ts'
import { join } from 'node:path'
import { skillFiles, subagentFile } from '../../catalog/agent-files.ts'
import { type HiredKind, hiredKindOf } from '../../catalog/hiring.ts'
import { serverToHire } from '../../catalog/server-block.ts'
import type { Audition } from '../../compose/audition.ts'
import type { AgentCard, Card } from '../../domain/card.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { entryBlock, scopesOf } from '../../hosts/block.ts'
import type { Host, Scope } from '../../hosts/host.ts'
import { type Asker, hereFor, serverNamesOf } from '../../hosts/reach.ts'
import { assertNew, type NewFile, writeNewFiles } from '../../hosts/writing/new-files.ts'
import type { Hired, KeptConfigs } from '../../hosts/writing/replace-file.ts'
import { plannedConfig, writeHostConfig } from '../../hosts/writing/write-config.ts'
import { serverHeld } from '../../trust/review/held-server.ts'
import { scanText } from '../../trust/scan/scan-text.ts'
import { type Context, hostUser } from '../context.ts'
import { scopeLines, scopeOf } from './host-launch.ts'

/** @throws RemedyError for a card that no host's configuration can hold */
export function kindOf(card: Card): HiredKind {
  const kind = hiredKindOf(card)
  if (kind !== undefined) return kind
  throw new RemedyError(
    `"${card.id}" is no sub-agent, no skill, and of no MCP server: no configuration can hold it.`,
    'Hosts reach others through `audition serve --call`.',
  )
}

/** What a hiring writes, before it does. */
export type Hiring = {
  readonly scope: Scope
  /** Files, and the text that each gets; empty where it has that already. */
  readonly changes: readonly { readonly path: string; readonly added: string }[]
  /** What a person should know, a sentence each. */
  readonly notes: readonly string[]
  readonly write: (hired: Hired, kept: KeptConfigs) => Promise<unknown>
}

type Wanted = {
  readonly card: Card
  readonly kind: HiredKind
  readonly host: Host
  readonly audition: Audition
}

/** @throws RemedyError when it must not or cannot be written */
export async function hiringOf(wanted: Wanted, scope: Scope | undefined, context: Context): Promise<Hiring> {
  const { card, kind, host } = wanted
  const place = { ...hostUser(context), cwd: context.terminal.cwd }
  const own = scopeOf(host, scope) ?? host.writing.usual
  if (kind === 'server') {
    await assertNothingHeld(wanted)
    const { variables, ...server } = serverToHire(card, host, place)
    const block = entryBlock(host, server, { place, scope: own })
    const target = { ...block, path: block.path! }
    const { path, before, text } = await plannedConfig(target)
    return {
      scope: own,
      changes: [{ path, added: insertedIn(before, text) }],
      notes: [
        ...scopeLines(own, scopesOf(host)),
        ...(variables.length === 0
          ? []
          : [`It needs from the environment of ${host.title}: ${variables.join(', ')}.`]),
      ],
      write: (hired, kept) => writeHostConfig({ ...target, hired }, kept),
    }
  }
  const agent = card as AgentCard
  const asker = { host, user: place, project: place.cwd }
  const { files, notes } = kind === 'skill' ? skillOf(agent) : await subagentOf(agent, asker, wanted)
  const folders = host.folders!.filter((one) => one.takes === kind)
  const folder = folders.find((one) => one.scope === own)!.at(place)
  const fresh = files.map(({ way, ...file }): NewFile => ({ ...file, path: join(folder, ...way) }))
  await assertNew(fresh)
  return {
    scope: own,
    changes: fresh.map(({ path, text }) => ({ path, added: text })),
    notes: [
      ...scopeLines(
        own,
        folders.map(({ scope: one }) => one),
      ),
      ...notes,
    ],
    write: (hired, kept) => writeNewFiles(fresh, hired, kept),
  }
}

/** A host gets all tools of a server, those too that are held back from search. */
async function assertNothingHeld({ card, audition }: Pick<Wanted, 'card' | 'audition'>): Promise<void> {
  const held = serverHeld(card, await audition.reviews())
  if (held !== null) throw new RemedyError(held.message, held.remedy)
}

/** Only `SKILL.md` was scanned when it was indexed. */
function skillOf(card: AgentCard) {
  const files = skillFiles(card)
  for (const { way, text } of files.slice(1)) {
    const found = scanText({ field: way.join('/'), register: 'prompt', text }).find(
      ({ severity }) => severity === 'hard',
    )
    if (found !== undefined)
      throw new RemedyError(
        `${way.join('/')} ${found.message}.`,
        'Look at it, and copy the skill by hand if it is right.',
      )
  }
  return { files, notes: [] }
}

async function subagentOf(card: AgentCard, asker: Asker, { audition }: Wanted) {
  const tools = await exactNames(card, asker, audition)
  const { file, leftOut } = subagentFile(card, tools)
  const notes = [
    ...(tools.length === 0 ? [`It may use every tool of ${asker.host.title}.`] : []),
    ...(leftOut.length === 0 ? [] : [`Left out: ${leftOut.map(printableLine).join(', ')}.`]),
  ]
  return { files: [file], notes }
}

/** What the host calls the tools of an agent by. @throws RemedyError naming the tools that it lacks */
async function exactNames(card: AgentCard, asker: Asker, audition: Audition): Promise<readonly string[]> {
  const here = hereFor(asker)
  const ids = card.tools.flatMap(({ id }) => id ?? [])
  const known = new Map((await audition.cards(ids)).map((one) => [one.id, here(one)]))
  const prefixes = serverNamesOf(asker).map((server) => asker.host.toolName(server, ''))
  const isOwn = card.agentKind === 'subagent' && card.provenance.reader !== 'copilot-agent'
  const lacking: string[] = []
  const names = card.tools.flatMap(({ id, name }) => {
    const reached = id === undefined ? undefined : known.get(id)
    if (reached?.kind === 'here') return [reached.call]
    const isServers = name.startsWith('mcp__')
    if (
      id === undefined &&
      isOwn &&
      (!isServers || prefixes.some((prefix) => `${name}__`.startsWith(prefix)))
    )
      return [name]
    lacking.push(id ?? name)
    return []
  })
  if (lacking.length === 0) return names
  throw new RemedyError(
    `${asker.host.title} lacks tools of "${card.id}": ${lacking.map(printableLine).join(', ')}.`,
    `Hire their servers first, for example \`audition hire ${shellWord(printableLine(lacking[0]!), process.platform)} --into ${asker.host.name}\`.`,
  )
}

/** The one stretch that a text has more than the one before, from the start of its line. */
function insertedIn(before: string, text: string): string {
  let start = 0
  while (start < before.length && before[start] === text[start]) start += 1
  let end = 0
  while (end < before.length - start && before.at(-1 - end) === text.at(-1 - end)) end += 1
  const line = text.lastIndexOf('\n', start - 1) + 1
  const from = text.slice(line, start).trim() === '' ? line : start
  return text.slice(from, text.length - end).replace(/^,\s*(?:\/[/*].*)?\n/, '')
}
