import type { Findings, Floor, Table } from './bench.ts'
import type { Machine } from './machine.ts'

/** A Markdown table whose columns line up: the first to the left, the others to the right. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, column) =>
    Math.max(3, name.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => padded(cells[column] ?? '', width, column)).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)]
}

const padded = (text: string, width: number, column: number): string =>
  column === 0 ? text.padEnd(width) : text.padStart(width)

const titled = ({ title, head, rows }: Table): string[] => [`### ${title}`, '', ...tableLines(head, rows), '']

/** A bench's answer. */
export const findingsLines = (question: string, { tables, notes }: Findings): string[] => [
  `## ${question}`,
  '',
  ...tables.flatMap(titled),
  ...notes.map((note) => `- ${note}`),
  '',
]

/** What the figures depend on. */
export const machineLines = ({
  at,
  cores,
  processor,
  memoryGb,
  system,
  node,
  packages,
  load,
}: Machine): string[] => [
  `- ${at}, ${cores} cores (${processor}), ${memoryGb} GB, ${system}, Node ${node}`,
  `- ${Object.entries(packages)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}`,
  `- load average at the start: ${load.join(', ')}`,
  '',
]

/** Every promise with what was measured. */
export const floorLines = (floors: readonly Floor[]): string[] => [
  '## Floors',
  '',
  ...tableLines(
    ['floor', 'limit', 'measured', 'outcome'],
    floors.map(({ what, limit, measured, outcome }) => [what, limit, measured, outcome]),
  ),
]
