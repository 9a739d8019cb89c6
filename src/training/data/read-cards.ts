import { identify } from '../../catalog/identity.ts'
import type { CardDraft, Reader } from '../../catalog/ports.ts'
import { agentJsonl } from '../../catalog/readers/agent-jsonl.ts'
import { toolretJsonl } from '../../catalog/readers/toolret-jsonl.ts'
import type { Card } from '../../domain/card.ts'
import { fileIn } from '../../evaluation/datasets/files.ts'
import { type OnProblem, openOrReport, withReadableStart } from './record-lines.ts'

/** Tools of a set as cards of the source named after it. Damaged records are reported and skipped. */
export function readTools(name: string, folder: string, onProblem: OnProblem): readonly Card[] {
  const file = fileIn(folder, 'tools.jsonl')
  const document = file === undefined ? undefined : openOrReport(file, onProblem)
  if (document === undefined) return []
  const { cards, problems } = toolretJsonl.read(document)
  problems.forEach(onProblem)
  return identified(name, cards, toolretJsonl, document.path)
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
