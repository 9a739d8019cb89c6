import type { Origin } from '../catalog/identity.ts'
import type { CardDraft, McpHarvester, McpServerEntry, Problem, SourceDocument } from '../catalog/ports.ts'
import type { Card } from '../domain/card.ts'
import type { ModelList } from '../domain/model-card.ts'
import { contains } from '../domain/paths.ts'
import type { HostUser } from '../hosts/surroundings.ts'
import type { CatalogWriter } from '../store/catalog-writer.ts'
import type { SourceReview } from '../store/source-review.ts'
import type { BoundLaunch } from '../trust/launches/bound-launch.ts'
import type { CardEnricher, KeptEnrichments } from './enrich-cards.ts'
import type { CardKeys, FileKeeper } from './source-file.ts'

/** What reading a source gives. */
export type SourceContents = {
  readonly drafts: readonly { readonly draft: CardDraft; readonly origin: Origin }[]
  readonly problems: readonly Problem[]
  /** What it says of language models. */
  readonly models?: ModelList
  /** What a live server says of itself. */
  readonly server?: { readonly name: string; readonly version: string }
}

/** A source that was found and can be read. */
export type OpenSource = {
  /** The id it would like; another source may hold it already. */
  readonly wantedId: string
  /** File, folder, URL, `config#server`, or part of the bundled catalog: what makes it the same source next time. */
  readonly location: string
  /** Two sources of one identity give the same cards, wherever they are configured. */
  readonly identity: string
  readonly reader: string
  /** Hash of all it will read, or null for a live server. */
  readonly fingerprint: string | null
  /** Live servers may be read side by side; files one after the other. */
  readonly isLive: boolean
  /** The entry of a live server. */
  readonly server?: McpServerEntry
  /** What asking a live server would start or reach. */
  readonly bound?: BoundLaunch
  /** How a live server, or an address, is reached, without secrets: what stays when it gets another name. */
  readonly launch?: string
  /** Files and folders of it that could not be read. */
  readonly unread?: readonly Unread[]
  read(signal: AbortSignal): Promise<SourceContents>
  /** Keys and names of its cards, where it was looked at for its own name and has to be read again. */
  names?(): CardKeys | undefined
  /** It was read: what was kept of its files may go. */
  release?(): void
}

/** What {@link openSources} needs from outside. */
export type SourceSurroundings = {
  readonly harvester: McpHarvester
  /** What asking a server would start or reach on this machine. @defaultValue what its entry says, looked for nowhere */
  readonly launchOf?: (entry: McpServerEntry) => BoundLaunch
  /** Fetches a URL the user gave, as a document. @throws DocumentError */
  readonly fetchDocument: (url: string, signal: AbortSignal) => Promise<SourceDocument>
  /** Absolute folder of the bundled catalog. */
  readonly bundledFolder?: string
  /** Whose choices in hosts count: servers may be switched off there. @defaultValue those of projects alone */
  readonly user?: HostUser
  /** The working folder: servers of other projects are not asked. @defaultValue all are */
  readonly cwd?: string
  /** Keeps files from when a source is found until it is read. @defaultValue some for each location */
  readonly keepFile?: FileKeeper
  /** Names a path to people. */
  readonly label: (path: string) => string
  /** Absolute folders that links of indexed folders may lead to. @defaultValue none but the folder itself */
  readonly followLinks?: readonly string[]
  /** What was written of cards before. @defaultValue nothing */
  readonly enrichments?: KeptEnrichments
  /** Writes more, where that is wanted. */
  readonly enricher?: CardEnricher
  /** Cards that the index may hold. @defaultValue any number */
  readonly mostCards?: number
}

/** What a document, or several, give. */
export type DocumentSources = {
  readonly sources: readonly OpenSource[]
  readonly problems: readonly Problem[]
  /** Host configurations that were read whole: a server they no longer name is gone. */
  readonly configs: readonly string[]
  /** A host configuration that names no server at all. */
  readonly isEmpty?: boolean
}

/** What stands at one location. */
export type OpenedLocation = DocumentSources & {
  /** The location as a source has it: absolute, or a URL. */
  readonly location: string
  /** What could not be read, each with its problem. */
  readonly unread: readonly Unread[]
  /** Folders that were walked: what is missing there, and lies in nothing {@link unread}, is gone. */
  readonly walked: readonly string[]
  /** It gives nothing, and why: of interest to whoever named it. */
  readonly nothing?: Problem
}

/** A place that could not be read: it says nothing of the cards that came from it. */
export type Unread = {
  /** File, folder with all in it, or URL. */
  readonly path: string
  readonly problem: Problem
}

/** Whether a file or folder is one that could not be read, or lies in one. */
export const isUnread = (path: string, { path: place }: Unread): boolean =>
  path === place || contains({ folder: place, path })

/**
 * The cards of a source that came from places which cannot be read now, as they were last read: one that is held in place
 * of the one in search, and an agent with all its tools. Reviewed again, they stay what they are.
 */
export async function lastRead(
  source: string,
  unread: readonly Unread[],
  store: {
    readonly reviews: readonly SourceReview[]
    readonly writer: Pick<CatalogWriter, 'hashes' | 'cards'>
  },
): Promise<readonly Card[]> {
  const { reviews, writer } = store
  if (unread.length === 0) return []
  const { held = [], owners = [] } = reviews.find(({ key }) => key === source) ?? {}
  const reviewed = new Map([...held.map(({ card }) => card), ...owners].map((card) => [card.id, card]))
  const replaced = new Set(held.map(({ replaces }) => replaces))
  const ids = [...(await writer.hashes(source)).keys()]
  const stored = await writer.cards(ids.filter((id) => !reviewed.has(id) && !replaced.has(id)))
  return [...stored.map(asRead), ...reviewed.values()].filter(({ provenance }) =>
    unread.some((one) => isUnread(provenance.location, one)),
  )
}

/** Without what the scan found. */
const asRead = ({ flags: _, ...card }: Card): Card => card as Card
