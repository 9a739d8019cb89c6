import { identify } from '../../../../src/catalog/identity.ts'
import type { CardDraft, Reader } from '../../../../src/catalog/ports.ts'
import { agentJsonl } from '../../../../src/catalog/readers/agent-jsonl.ts'
import { toolretJsonl } from '../../../../src/catalog/readers/toolret-jsonl.ts'
import type { Card } from '../../../../src/domain/card.ts'
import { fileIn } from '../../../../src/evaluation/datasets/files.ts'
import { type OnProblem, openOrReport, recordLines, withReadableStart } from './record-lines.ts'

/**
 * Tools of a set as cards of the source named after it. Where the set lists its servers (`servers.jsonl`, each with `id`
 * and `name`), a tool's server is named rather than numbered. Damaged records are reported and skipped.
 */
export function readTools(name: string, folder: string, onProblem: OnProblem): readonly Card[] {
  const file = fileIn(folder, 'tools.jsonl')
  const document = file === undefined ? undefined : openOrReport(file, onProblem)
  if (document === undefined) return []
  const { cards, problems } = toolretJsonl.read(document)
  problems.forEach(onProblem)
  const names = serverNames(folder, onProblem)
  return identified(name, cards, toolretJsonl, document.path).map((card) => {
    const server = card.kind === 'tool' && card.server !== undefined ? names.get(card.server) : undefined
    return server === undefined ? card : { ...card, server }
  })
}

function serverNames(folder: string, onProblem: OnProblem): ReadonlyMap<string, string> {
  const file = fileIn(folder, 'servers.jsonl')
  const document = file === undefined ? undefined : openOrReport(file, onProblem)
  const records = document === undefined ? [] : recordLines(document, onProblem)
  return new Map(
    records.flatMap(({ id, name }) => {
      const isNamed = typeof id === 'string' && typeof name === 'string' && name.trim() !== ''
      return isNamed ? [[id, name] as const] : []
    }),
  )
}

/** Agents of a catalog as cards. Damaged records are reported and skipped. */
export function readAgents(name: string, file: string, onProblem: OnProblem): readonly Card[] {
  const opened = openOrReport(file, onProblem)
  if (opened === undefined) return []
  const document = withReadableStart(opened, onProblem)
  const { cards, problems, sourceName = name } = agentJsonl.read(document)
  problems.forEach(onProblem)
  return identified(sourceName, cards, agentJsonl, file)
}

const identified = (
  source: string,
  drafts: readonly CardDraft[],
  reader: Reader,
  location: string,
): readonly Card[] =>
  identify(
    source,
    drafts.map((draft) => ({ draft, origin: { reader: reader.name, location } })),
  ).cards
