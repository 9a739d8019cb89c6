import { printableLine } from '../../domain/text/printable.ts'
import { findingTitles } from '../../evaluation/self/finding-titles.ts'
import type { Finding } from '../../evaluation/self/findings.ts'
import type { Output } from '../terminal.ts'
import { wrapText } from './text-width.ts'

/** Findings shown of each kind; the rest are counted. */
const shownOfKind = 5

/** What keeps cards from being found, by kind, worst first; with the fix under each kind. */
export function findingLines(findings: readonly Finding[], output: Output): readonly string[] {
  const { paint } = output
  if (findings.length === 0) return ['', 'Nothing keeps a card from being found.']
  const kinds = [...new Set(findings.map(({ kind }) => kind))]
  const room = Math.max(40, output.columns ?? 120) - 4
  return kinds.flatMap((kind) => {
    const own = findings.filter((finding) => finding.kind === kind)
    const more = own.length - shownOfKind
    const remedies = [...new Set(own.map(({ remedy }) => printableLine(remedy)))]
    return [
      '',
      paint.bold(`${findingTitles[kind]} (${own.length})`),
      ...own.slice(0, shownOfKind).flatMap((finding) => findingText(finding, room, paint.cyan)),
      ...(more > 0 ? [`  and ${more} more: --json lists them all`] : []),
      ...remedies.flatMap((remedy) => wrapText(`Fix: ${remedy}`, room).map((line) => paint.dim(`  ${line}`))),
    ]
  })
}

function findingText(
  { card, message, others }: Finding,
  room: number,
  paint: (text: string) => string,
): string[] {
  const instead = others
    .slice(0, 3)
    .map(printableLine)
    .filter((other) => !message.includes(other))
  return [
    `  ${paint(printableLine(card))}`,
    ...wrapText(printableLine(message), room).map((line) => `    ${line}`),
    ...(instead.length === 0 ? [] : wrapText(`see ${instead.join(', ')}`, room).map((line) => `    ${line}`)),
  ]
}
