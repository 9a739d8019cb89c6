import { dirname } from 'node:path'
import type { McpServerEntry } from '../../catalog/ports.ts'
import { dependsOnFolder, displayOf } from '../../catalog/server-entries.ts'
import type { Card } from '../../domain/card.ts'
import { isSecretName, mask, maskSecrets } from '../../domain/text/secrets.ts'
import type { ServerIdentity, SourceReview } from '../../store/source-review.ts'
import type { SourceState } from '../../store/source-state.ts'
import type { Neighbour } from '../scan/scan-cards.ts'
import { pinOf } from './pin.ts'

/** What the catalog has of servers, as it is committed now. */
export type PinnedCatalog = {
  sources(): Promise<readonly SourceState[]>
  /** What is held of the sources, and what the user decided. */
  reviews(): Promise<readonly SourceReview[]>
  /** The tools of a source that are in search. */
  tools(source: string): Promise<readonly Card[]>
  /** The names of all cards in search: one array as long as they are the same, since tables are kept by it. */
  names(): Promise<readonly Neighbour[]>
}

/** A source whose server was started or reached as one is that answers now, and what counts when the two are compared. */
export type KnownServer = {
  readonly source: string
  readonly isTrusted: boolean
  /** What answers now, as pins of the source name it: more than one while another server is held there. */
  readonly identities: readonly ServerIdentity[]
  /** The server of the cards in search. */
  readonly pinned: ServerIdentity | undefined
  /** Pins of texts in search, and of those that the user accepted. */
  readonly taken: ReadonlySet<string>
  /** Pins of what the source gave once, and of what it holds. */
  readonly gone: ReadonlySet<string>
  readonly held: ReadonlySet<string>
  /** Of these, and of those that it gave once, what the user refused. */
  readonly refused: ReadonlySet<string>
  /** Pins by name of all tools that it ever had, as far as they are known. */
  readonly pinsByName: ReadonlyMap<string, string>
}

/**
 * Where a card stands: `taken` as it is, `open` to whatever the scan finds in it, or withheld for a reason.
 */
type StandingNow = 'taken' | 'open' | 'held' | 'changed' | 'server' | 'new'

/**
 * The sources that have the cards of a server: those whose server is the same command line or address, written in the same way,
 * in the same folder where that matters. Names of variables and headers may differ.
 *
 * @param name - what the server calls itself now
 */
export async function knownServers(
  entry: McpServerEntry,
  name: string,
  catalog: PinnedCatalog,
): Promise<readonly KnownServer[]> {
  const program = programOf(launchFacts(entry, dependsOnFolder(entry)))
  const [states, reviews] = [await catalog.sources(), await catalog.reviews()]
  const found: KnownServer[] = []
  for (const review of reviews) {
    const state = states.find(({ id }) => id === review.key)
    const same = [review.server, review.otherServer].flatMap((one) =>
      one !== undefined && programOf(one.launch) === program ? [one] : [],
    )
    if (state !== undefined && same.length > 0)
      found.push(
        knownServer({
          state,
          review,
          tools: await catalog.tools(state.id),
          identities: answering(same, name),
        }),
      )
  }
  return found
}

/** Those servers, with the name that one gives of itself now where a name was pinned. */
const answering = (same: readonly ServerIdentity[], name: string): readonly ServerIdentity[] =>
  same.map((one) => ({ launch: one.launch, ...(one.name === undefined ? {} : { name }) }))

function knownServer({
  state,
  review,
  tools,
  identities,
}: {
  readonly state: SourceState
  readonly review: SourceReview
  readonly tools: readonly Card[]
  readonly identities: readonly ServerIdentity[]
}): KnownServer {
  const inSearch = tools.map((card) => [card.name, pinOf(card, review.server)] as const)
  const gone = review.gone.flatMap(({ card, pin }) =>
    card?.kind === 'tool' ? [[card.name, pin] as const] : [],
  )
  return {
    source: state.id,
    isTrusted: (review.decision ?? state.trust) === 'trusted',
    identities,
    pinned: review.server,
    taken: new Set([...inSearch.map(([, pin]) => pin), ...review.accepted]),
    gone: new Set(review.gone.map(({ pin }) => pin)),
    held: new Set(review.held.map(({ pin }) => pin)),
    refused: new Set(
      [...review.gone, ...review.held].flatMap(({ pin, refused: isRefused }) => (isRefused ? [pin] : [])),
    ),
    pinsByName: new Map([...gone, ...inSearch]),
  }
}

/** Where a card that the server gives now stands in a source. */
export function standingIn(server: KnownServer, card: Card): StandingNow {
  const pins = server.identities.map((identity) => pinOf(card, identity))
  const isIn = (set: ReadonlySet<string>): boolean => pins.some((pin) => set.has(pin))
  if (isIn(server.taken)) return 'taken'
  if (isIn(server.refused)) return 'held'
  if (server.isTrusted || isIn(server.gone)) return 'open'
  if (isIn(server.held)) return 'held'
  const before = server.pinsByName.get(card.name)
  if (before === undefined) return 'new'
  return before === pinOf(card, server.pinned) ? 'server' : 'changed'
}

/** Variables that say which code runs or who is asked; of all others only the name counts, since the value may be secret. */
const telling =
  /^(?:PATH|NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|LD_\w+|DYLD_\w+|JAVA_TOOL_OPTIONS|RUBYOPT|PERL5OPT|BASH_ENV|\w*(?:URL|URI|HOST|ENDPOINT|PROXY|REGISTRY))$/i

/**
 * How a server is started or reached, a fact per line, for people to compare: command line or address with secrets masked,
 * variables and headers by name (with the value where it says which code runs), the working folder where it matters. A
 * rotated token leaves it as it is.
 */
export function launchFacts({ launch, config }: McpServerEntry, dependsOnFolder: boolean): string {
  const display = `${launch.transport} ${displayOf(launch)}`
  if (launch.transport !== 'stdio') {
    return [display, ...Object.keys(launch.headers).sort().map(headerFact)].join('\n')
  }
  const folder = launch.cwd ?? (dependsOnFolder ? dirname(config) : undefined)
  return [
    display,
    ...Object.keys(launch.env)
      .sort()
      .map((name) => `env ${name}${telling.test(name) ? `=${shown(name, launch.env[name] ?? '')}` : ''}`),
    ...(folder === undefined ? [] : [`in ${folder}`]),
  ].join('\n')
}

/** Of {@link launchFacts}, what makes it the same program or address: all but names of variables and headers. */
const programOf = (facts: string): string =>
  facts
    .split('\n')
    .filter((fact) => !/^(?:env [^=]*|header .*)$/.test(fact))
    .join('\n')

const headerFact = (name: string): string => `header ${name.toLowerCase()}`

const shown = (name: string, value: string): string => (isSecretName(name) ? mask : maskSecrets(value))
