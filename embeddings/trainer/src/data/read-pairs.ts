import { createHash } from 'node:crypto'
import { identify } from '../../../../src/catalog/identity.ts'
import type { CardDraft } from '../../../../src/catalog/ports.ts'
import { toolretJsonl } from '../../../../src/catalog/readers/toolret-jsonl.ts'
import { documentFromText } from '../../../../src/catalog/source-document.ts'
import type { Card } from '../../../../src/domain/card.ts'
import type { JsonObject } from '../../../../src/domain/json.ts'
import type { TrainingQuery } from './corpus.ts'
import { pairsOf } from './pair-files.ts'
import type { OnProblem } from './record-lines.ts'

/** A set of pairs as cards and records of queries. */
type ReadPairs = {
  /** One card per distinct documentation, those of `neg` too: among them hard negatives are looked for. */
  readonly cards: readonly Card[]
  /** `id`, `query`, `relevant` (card ids), and `instruction` where there is a prompt. */
  readonly records: readonly JsonObject[]
}

/**
 * Reads queries with the documentations that serve them (`query`, `pos`, `neg`, `prompt`), as ToolRet-train is released.
 *
 * @see Shi et al., Retrieval Models Aren't Tool-Savvy, Findings of ACL 2025, section 6
 */
export async function readPairs(
  name: string,
  files: readonly string[],
  onProblem: OnProblem,
): Promise<ReadPairs> {
  const texts = new Map<string, string>()
  const idOf = (documentation: string): string => {
    const digest = createHash('sha256').update(documentation).digest('hex').slice(0, 16)
    texts.set(digest, documentation)
    return digest
  }
  const asked: { readonly query: string; readonly prompt: string; readonly relevant: readonly string[] }[] =
    []
  for (const file of files)
    for (const { query, pos, neg, prompt } of await pairsOf(file, onProblem)) {
      for (const other of neg) idOf(other)
      asked.push({ query, prompt, relevant: pos.map(idOf) })
    }
  const cards = cardsOf(name, texts)
  const cardIds = new Map(cards.map((card) => [card.id.slice(card.source.length + 1), card.id]))
  return {
    cards,
    records: asked.map(({ query, prompt, relevant }, place) => ({
      id: String(place),
      query,
      relevant: relevant.flatMap((key) => cardIds.get(key) ?? []),
      ...(prompt === '' ? {} : { instruction: prompt }),
    })),
  }
}

/** Documentations that are read at a time. */
const batch = 5000

function cardsOf(name: string, texts: ReadonlyMap<string, string>): readonly Card[] {
  const entries = [...texts]
  const drafts: CardDraft[] = []
  for (let start = 0; start < entries.length; start += batch) {
    const lines = entries
      .slice(start, start + batch)
      .map(([id, documentation]) => JSON.stringify({ id, documentation }))
    drafts.push(...toolretJsonl.read(documentFromText(`${name}/tools.jsonl`, lines.join('\n'))).cards)
  }
  const origin = { reader: toolretJsonl.name, location: name }
  return identify(
    name,
    drafts.map((draft) => ({ draft, origin })),
  ).cards
}

/** A query of {@link readPairs}; undefined when none of what serves it could be read. */
export function pairQuery({ id, query, relevant, instruction }: JsonObject): TrainingQuery | undefined {
  const ids = Array.isArray(relevant) ? relevant.map(String) : []
  if (ids.length === 0) return undefined
  return {
    id: String(id),
    text: String(query),
    relevant: [...new Set(ids)],
    ...(typeof instruction === 'string' ? { instruction } : {}),
  }
}
