import type { Card } from '../../../domain/card.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import type { SourceState } from '../../../store/source-state.ts'
import { metaRows } from '../head.ts'
import { lanceWriter } from '../lance-writer.ts'
import { connected } from '../connection.ts'
import { type MetaRow, metaSchema, metaTable } from '../schemas.ts'
import type { ExaminedCatalog } from './examine-catalog.ts'

/** What a rebuilt catalog holds. */
type RebuiltCatalog = {
  readonly states: readonly SourceState[]
  /** Sources of which cards are gone. */
  readonly toReadAgain: readonly SourceState[]
}

const cardsLost = 'cards were lost in a damaged store. Run `audition index` to read it again.'

/** States of sources, as far as they are known or can be told from the cards; those that lost cards say so. */
export function statesAfter({ states, cards, lostIds }: ExaminedCatalog): RebuiltCatalog {
  const bySource = new Map<string, Card[]>()
  for (const card of cards) {
    const known = bySource.get(card.source)
    if (known) known.push(card)
    else bySource.set(card.source, [card])
  }
  const known = new Set(states.map(({ id }) => id))
  const poorer = new Set(lostIds.map((id) => id.slice(0, id.indexOf('/'))))
  const reported = states.map((state) => counted(state, bySource.get(state.id) ?? [], poorer.has(state.id)))
  const guessed = [...bySource].filter(([id]) => !known.has(id)).map(([id, of]) => guessedState(id, of))
  return {
    states: [...reported, ...guessed],
    toReadAgain: reported.filter((state, at) => poorer.has(state.id) || isFewer(state, states[at]!)),
  }
}

const isFewer = (now: SourceState, before: SourceState): boolean =>
  now.tools + now.agents < before.tools + before.agents

/** A source that lost cards has to be read again, whatever its fingerprint. */
function counted(state: SourceState, cards: readonly Card[], isPoorer: boolean): SourceState {
  const now = { ...state, ...countsOf(cards) }
  if (!isPoorer && !isFewer(now, state)) return now
  const { fingerprint: _, ...rest } = now
  return { ...rest, failure: cardsLost }
}

const countsOf = (cards: readonly Card[]) => ({
  tools: cards.filter(({ kind }) => kind === 'tool').length,
  agents: cards.filter(({ kind }) => kind === 'agent').length,
})

/** What the cards tell of a source whose state is gone: its location is theirs, or the folder that they have in common. */
function guessedState(id: string, cards: readonly Card[]): SourceState {
  const readers = new Set(cards.map(({ provenance }) => provenance.reader))
  const location = commonPlace([...new Set(cards.map(({ provenance }) => provenance.location))])
  return {
    id,
    location: location ?? `the unknown location of ${id}`,
    isLocationGuessed: true,
    reader: readers.size === 1 ? [...readers][0]! : 'mixed',
    indexedAt: null,
    ...countsOf(cards),
    failure:
      location === null
        ? `its state was lost in a damaged store, and with it where it lies. Index its folder or file again, and run \`audition sources remove ${id}\`.`
        : 'its state was lost in a damaged store. Run `audition index` to read it again.',
    problems: [],
  }
}

/** Folders nearer to the root than this are no source's: to read one again would be to read the disk. */
const leastDepth = 3

function commonPlace([first = '', ...others]: readonly string[]): string | null {
  if (others.length === 0) return first
  const parts = first.split('/').slice(0, -1)
  while (parts.length > leastDepth && others.some((other) => !other.startsWith(`${parts.join('/')}/`)))
    parts.pop()
  return others.every((other) => other.startsWith(`${parts.join('/')}/`)) && parts.length >= leastDepth
    ? parts.join('/')
    : null
}

/** Writes a catalog into an empty folder, as one commit. */
export async function rebuildCatalog(
  folder: string,
  { cards, reviews, others, states }: ExaminedCatalog,
  { model, onTable }: { readonly model: EmbeddingModel | null; readonly onTable: (step: string) => void },
): Promise<void> {
  await writeOthers(folder, others)
  const writer = await lanceWriter(folder, { model })
  try {
    await writer.commit({ put: cards, remove: [], sources: states, removeSources: [], reviews }, (_, step) =>
      onTable(`new store: ${step}`),
    )
  } finally {
    await writer.close()
  }
}

/** Rows of the meta table that are not ours to understand are kept. */
async function writeOthers(folder: string, others: readonly MetaRow[]): Promise<void> {
  if (others.length === 0) return
  await connected(folder, async ({ connection }) => {
    const table = await connection.createEmptyTable(metaTable, metaSchema, { mode: 'overwrite' })
    await table.add(metaRows(others))
    table.close()
  })
}
