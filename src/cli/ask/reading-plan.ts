import { namesInLine } from '../../domain/text/names-in-line.ts'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { bundledCatalog, bundledWord, isBundledLocation } from '../../catalog/bundled-parts.ts'
import type { McpServerEntry } from '../../catalog/ports.ts'
import type { Harvesting } from '../../indexing/index-report.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import { discover, type Discovery } from '../../hosts/discover.ts'
import { knownLocations } from '../../indexing/places-after.ts'
import { type PlannedServer, plannedServers } from '../../indexing/planned-servers.ts'
import { chooseServers, serverTable } from './choose-servers.ts'
import { type Context, hostUser } from '../context.ts'
import { differenceLines } from '../render/text.ts'
import { UsageError } from '../errors.ts'
import { left, tableOf } from '../render/table.ts'

/** What an index run reads, and which of the MCP servers that it meets it may start. */
export type ReadingPlan = {
  readonly locations: readonly string[]
  /** Those of them that nobody named. @defaultValue none */
  readonly found?: readonly string[]
  readonly harvest: Harvesting
  /** Entries that were agreed to now. */
  readonly agreed?: readonly string[]
  /** Entries that were said no to, to be remembered. */
  readonly declined?: readonly string[]
}

/** What a person said beforehand. */
type Consent = {
  /** Whether MCP servers may be started at all. */
  readonly harvest: boolean
  /** Whether those that were found, not named, may be started without asking. */
  readonly yes: boolean
  /** Whether those are asked too that answered, or failed, a short while ago. */
  readonly refresh: boolean
  /** Seconds that one is waited for. */
  readonly timeout: number | undefined
}

type Agreement = Required<Pick<ReadingPlan, 'agreed' | 'declined'>>

/**
 * Reads what was named. The servers of a configuration that was named are announced and started; those of a
 * configuration that only lies in a folder may be anybody's, and one whose launch changed since somebody agreed to it is another
 * program, so a person is asked.
 */
export async function namedPlan(
  words: readonly string[],
  consent: Consent,
  context: Context,
): Promise<ReadingPlan> {
  const locations = words.flatMap((word) => locationsOf(word, context.terminal.cwd))
  if (!consent.harvest) return { locations, harvest: 'unwanted' }
  const servers = await dueServers({ locations, how: 'named' }, consent, context)
  return { locations, harvest: 'agreed', ...(await agreedOfNamed(servers, consent, context)) }
}

async function agreedOfNamed(
  servers: readonly PlannedServer[],
  consent: Pick<Consent, 'yes'>,
  context: Context,
): Promise<Agreement> {
  const isAnnounced = ({ place, said, isOfUser }: PlannedServer): boolean =>
    place === 'file' && (said !== 'changed' || isOfUser)
  const ofFiles = servers.filter(isAnnounced)
  if (ofFiles.length > 0) {
    context.log(
      'Starting these MCP servers to list their tools:',
      ...serverTable(ofFiles, context.terminal.stderr),
      ...(await heldBy(ofFiles, context)),
    )
  }
  const others = servers.filter((server) => !isAnnounced(server))
  const { agreed, declined } = await agreedOf(others, consent, context)
  const named = ofFiles.map(({ digest }) => digest)
  return { agreed: [...named, ...agreed], declined }
}

/**
 * The servers of configurations that may be started now, asked for as an index run does; what is said is not remembered.
 *
 * @param how - whether the configurations themselves were named, or found by the name of a server or a folder
 */
export async function agreedServers(
  locations: readonly string[],
  { how, ...wanted }: Pick<Consent, 'yes' | 'timeout'> & { readonly how: 'named' | 'found' },
  context: Context,
): Promise<readonly McpServerEntry[]> {
  const consent = { ...wanted, harvest: true, refresh: true }
  const servers = await dueServers({ locations, how: 'named' }, consent, context)
  const { agreed } = await (how === 'named' ? agreedOfNamed : agreedOf)(servers, consent, context)
  return servers.filter(({ digest }) => agreed.includes(digest)).map(({ entry }) => entry)
}

/** @throws UsageError when a word is the name of the bundled catalog and of a file here */
function locationsOf(word: string, cwd: string): readonly string[] {
  if (word === bundledWord) {
    if (!existsSync(resolve(cwd, word))) return bundledCatalog
    throw new UsageError(
      `"${word}" is the catalog that ships with Audition, and there is a file or folder of that name here. Say which: ${word}: or ./${word}`,
    )
  }
  if (word === `${bundledWord}:`) return bundledCatalog
  return [/^https?:/iu.test(word) || isBundledLocation(word) ? word : resolve(cwd, word)]
}

/**
 * Reads what hosts have configured, what was indexed before, and the bundled catalog where it is wanted. Says what it found and asks
 * before any server is started that is not ours, unless it was started by the same entry before; of those that may not be started the
 * old cards stay.
 */
export async function discoveredPlan(consent: Consent, context: Context): Promise<ReadingPlan> {
  const found = discover({ ...hostUser(context), cwd: context.terminal.cwd })
  const audition = await context.audition()
  const known = knownLocations(await audition.sources(), await audition.places())
  const locations = [...new Set([...found.map(({ path }) => path), ...known])]

  if (found.length === 0) context.log('No configuration of an AI host found here or in your home folder.')
  else context.log('Found:', ...foundTable(found, context))
  const again = locations.length - found.length
  if (again > 0) {
    context.log(`Indexed before and read again: ${countOf(again, 'source')}.`)
  }
  const all = [...locations, ...bundledCatalog]
  const places = { locations: all, found: all }
  if (!consent.harvest) return { ...places, harvest: 'unwanted' }
  const servers = await dueServers({ locations, how: 'found' }, consent, context)
  return { ...places, harvest: 'agreed', ...(await agreedOf(servers, consent, context)) }
}

async function dueServers(
  where: { readonly locations: readonly string[]; readonly how: 'named' | 'found' },
  { refresh, timeout = 30 }: Consent,
  context: Context,
): Promise<readonly PlannedServer[]> {
  const audition = await context.audition()
  return plannedServers({
    ...where,
    cwd: context.terminal.cwd,
    user: hostUser(context),
    launchOf: await audition.launchOf(),
    states: await audition.sources(),
    reviews: await audition.reviews(),
    refresh,
    timeoutMs: timeout * 1000,
    signal: context.signal,
  })
}

function foundTable(found: readonly Discovery[], { terminal }: Context): readonly string[] {
  return tableOf(found, terminal.stderr, [
    left('what', ({ what }) => what),
    left('scope', ({ scope }) => scope),
    left('path', ({ path }) => path, { least: 16 }),
  ])
}

/** What holds the servers that are processes while they run. */
async function heldBy(servers: readonly PlannedServer[], context: Context): Promise<readonly string[]> {
  if (!servers.some(({ entry }) => entry.launch.transport === 'stdio')) return []
  const { within } = await (await context.audition()).containment()
  return [`Held by: ${printableLine(within)}`]
}

/** Shows servers that nobody named and nobody agreed to yet, and asks which of them may be started; none may always. */
async function agreedOf(
  servers: readonly PlannedServer[],
  { yes }: Pick<Consent, 'yes'>,
  context: Context,
): Promise<Agreement> {
  const { terminal, signal } = context
  const digests = (some: readonly PlannedServer[]) => some.map(({ digest }) => digest)
  const again = servers.filter(({ said }) => said === 'agreed')
  if (again.length > 0)
    context.log(`Asked again for their tools, as you agreed before: ${countOf(again.length, 'MCP server')}.`)
  const left = servers.filter(({ said }) => said === 'declined')
  if (left.length > 0) context.log(...leftLines(left, context))
  const open = servers.filter(({ said }) => said === 'nothing' || said === 'changed')
  if (open.length === 0) return { agreed: digests(again), declined: [] }
  context.log(
    '',
    'To list its tools, a server must be started. These are configured:',
    ...serverTable(open, terminal.stderr, { numbered: !yes && open.length > 1 }),
    ...open.flatMap(changeLines),
    ...(await heldBy(open, context)),
  )
  if (yes) return { agreed: digests([...again, ...open]), declined: [] }
  const choice = await chooseServers(open, terminal, signal)
  if (choice === null)
    context.log(
      open.some(({ said }) => said === 'changed')
        ? 'Not started, for nobody can be asked here: add --yes to start them as they stand now.'
        : 'Not started, for nobody can be asked here: add --yes to start them, or name their configuration.',
    )
  else if (choice.start.length === 0)
    context.log('Not started. Name one configuration to start only its servers: audition index <file>')
  else if (choice.leave.length > 0) context.log(...leftLines(choice.leave, context))
  const { start, leave } = choice ?? { start: [], leave: [] }
  return { agreed: digests([...again, ...start]), declined: digests(leave) }
}

/** What is not the same in a launch that somebody agreed to. */
const changeLines = ({ entry, change }: PlannedServer): readonly string[] =>
  change === undefined
    ? []
    : [`${printableLine(entry.name)} changed since you agreed to start it:`, ...differenceLines(change)]

/** Servers named in the line of those that are left alone; the rest are counted. */
const shownLeft = 5

/** What is not started since a person did not want it, and how it is started all the same. */
function leftLines(left: readonly PlannedServer[], { terminal }: Context): readonly string[] {
  const names = left.map(({ entry }) => printableLine(entry.name))
  const [{ entry }] = left as readonly [PlannedServer]
  const word = shellWord(printableLine(`${entry.config}#${entry.name}`), terminal.platform)
  return [
    `Left alone, as you chose: ${namesInLine(names, shownLeft)}. To start one, name it: audition index ${word}`,
  ]
}
