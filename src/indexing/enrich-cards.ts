import pLimit from 'p-limit'
import { contentHash } from '../catalog/identity.ts'
import type { Card, Enrichment } from '../domain/card.ts'
import { batches } from '../domain/grouped.ts'
import { errorText } from '../domain/remedy-error.ts'
import {
  type CatalogChange,
  type CatalogWriter,
  NotAgreedError,
  type Sending,
} from '../store/catalog-writer.ts'
import { scanCards } from '../trust/scan/scan-cards.ts'

/** What was written of cards before, by their content hash; null of a card for which nothing that was written may be used. */
export type KeptEnrichments = {
  find(hash: string): Enrichment | null | undefined
  /** Whether nothing was ever written. */
  isEmpty(): boolean
  /** Keeps it at once, for the next run too. */
  keep(hash: string, enrichment: Enrichment | null): void
}

/** Writes of thin cards what their authors left out. */
export type CardEnricher = {
  readonly host: string
  readonly model: string
  /** About what writing of a card takes. */
  tokensOf(card: Card): { readonly input: number; readonly output: number }
  /** US dollars; undefined where nobody stated the price. */
  costOf(tokens: { readonly input: number; readonly output: number }): number | undefined
  /** @returns null where the answer cannot be used. @throws RemedyError when the model cannot be asked */
  write(card: Card, signal: AbortSignal): Promise<Enrichment | null>
}

/** What a run had written. */
export type EnrichmentReport = {
  readonly model: string
  readonly written: number
  /** Of which the scan found something, or the answer could not be used. */
  readonly refused: number
  /** Cards that were not asked about, for the model could not be asked. */
  readonly left: number
  /** Why, with what to do. */
  readonly failure?: string
}

type Enriching = {
  readonly kept: KeptEnrichments
  /** Absent: nothing is written, and what was written before goes on. */
  readonly enricher?: CardEnricher | undefined
  readonly agree: (sending: Sending) => boolean | Promise<boolean>
  readonly dryRun: boolean
  readonly onProgress: (done: number, of: number) => void
  readonly signal: AbortSignal
}

type Enriched = {
  readonly change: CatalogChange
  /** What would be sent. Absent when nothing is. */
  readonly sending?: Sending
  readonly report?: EnrichmentReport
}

/** Cards of fewer words are thin. */
const fewWords = 20
const atOnce = 4
/** So many failures in a row say that the model cannot be asked. */
const mostFailures = 5

/**
 * Puts beside cards what was written of them, and has it written where that is wanted.
 *
 * @throws NotAgreedError when cards would be sent and nobody agrees
 */
export async function enrichChange(
  change: CatalogChange,
  writer: Pick<CatalogWriter, 'ids' | 'cards'>,
  enriching: Enriching,
): Promise<Enriched> {
  const { kept, enricher, dryRun } = enriching
  const withKept = (card: Card): Card => {
    const enrichment = kept.find(contentHash(card))
    return enrichment ? { ...card, enrichment } : card
  }
  if (enricher === undefined && kept.isEmpty()) return { change }
  if (enricher === undefined) return { change: { ...change, put: change.put.map(withKept) } }
  const stored = await storedThin(change, writer)
  const thin = [...change.put.filter(isThin), ...stored]
  const fresh = thin.filter((card) => kept.find(contentHash(card)) === undefined)
  const sending = sendingOf(fresh, enricher)
  if (dryRun) return { change, ...(sending === undefined ? {} : { sending }) }
  if (sending !== undefined && !(await enriching.agree(sending))) throw new NotAgreedError(sending)
  const report = await writeAll(fresh, enricher, enriching)
  // Of those in the store only what has something new is put again.
  const renewed = stored.map(withKept).filter(({ enrichment }) => enrichment !== undefined)
  return {
    change: { ...change, put: [...change.put.map(withKept), ...renewed] },
    ...(sending === undefined ? {} : { sending }),
    report,
  }
}

/** Thin cards that stay as they are and have nothing beside them. */
async function storedThin(
  { put, remove, removeSources }: CatalogChange,
  writer: Pick<CatalogWriter, 'ids' | 'cards'>,
): Promise<readonly Card[]> {
  const gone = new Set([...put.map(({ id }) => id), ...remove])
  const stay = (await writer.ids()).filter(
    ({ id, source }) => !gone.has(id) && !removeSources.includes(source),
  )
  const thin: Card[] = []
  for (const some of batches(stay, 500)) {
    const cards = await writer.cards(some.map(({ id }) => id))
    thin.push(...cards.filter((card) => card.enrichment === undefined && isThin(card)))
  }
  return thin.sort((a, b) => (a.id < b.id ? -1 : 1))
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Whether a card says little of what it is for. */
export function isThin(card: Card): boolean {
  const said = [card.description, ...card.examples, card.kind === 'agent' ? (card.instructions ?? '') : '']
  let count = 0
  // Enough letters for so many long words.
  for (const { isWordLike } of words.segment(said.join('\n').slice(0, 40 * fewWords)))
    if (isWordLike && ++count >= fewWords) return false
  return true
}

function sendingOf(
  cards: readonly Card[],
  { host, model, tokensOf, costOf }: CardEnricher,
): Sending | undefined {
  if (cards.length === 0) return undefined
  const each = cards.map(tokensOf)
  const input = each.reduce((sum, tokens) => sum + tokens.input, 0)
  const output = each.reduce((sum, tokens) => sum + tokens.output, 0)
  const cost = costOf({ input, output })
  return {
    purpose: 'enriching',
    host,
    model,
    texts: cards.length,
    tokens: input + output,
    isAgreed: false,
    ...(cost === undefined ? {} : { cost }),
  }
}

/** Some cards at once; each is kept as it comes. */
async function writeAll(
  cards: readonly Card[],
  enricher: CardEnricher,
  { kept, onProgress, signal }: Pick<Enriching, 'kept' | 'onProgress' | 'signal'>,
): Promise<EnrichmentReport> {
  let [written, refused, left, inRow] = [0, 0, 0, 0]
  let failure: string | undefined
  const limit = pLimit(atOnce)
  const writeOne = async (card: Card): Promise<void> => {
    signal.throwIfAborted()
    if (inRow >= mostFailures) {
      left += 1
      return
    }
    try {
      const enrichment = await enricher.write(card, signal)
      inRow = 0
      const isUsable = enrichment !== null && isClean(card, enrichment)
      if (isUsable) written += 1
      else refused += 1
      // An answer that says nothing may say something the next time; what the scan finds is not paid for again.
      if (enrichment !== null) kept.keep(contentHash(card), isUsable ? enrichment : null)
    } catch (error) {
      signal.throwIfAborted()
      failure = errorText(error)
      inRow += 1
      left += 1
    }
    onProgress(written + refused + left, cards.length)
  }
  await Promise.all(cards.map((card) => limit(() => writeOne(card))))
  return { model: enricher.model, written, refused, left, ...(failure === undefined ? {} : { failure }) }
}

/** What a model wrote of a stranger's card may be the stranger's words: it is scanned as theirs are. */
function isClean({ id, source, provenance }: Card, { whenToUse, example, tags }: Enrichment): boolean {
  const said = { description: whenToUse, examples: [example], tags }
  const card = { kind: 'tool', id, source, provenance, name: 'enrichment', parameters: [], ...said } as const
  return !scanCards([card]).has(id)
}
