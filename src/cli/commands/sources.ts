import type { SourceState } from '../../catalog/ports.ts'
import { printableLine } from '../../domain/printable.ts'
import { defineCommand } from '../command.ts'
import { flag } from '../command-options.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-code.ts'

const removeCommand = defineCommand({
  description: 'Forgets sources and their cards. Their files are not touched.',
  arguments: [{ syntax: '<id...>', description: 'ids of sources, as `audition sources` lists them' }],
  options: {},
  examples: [{ line: 'audition sources remove old-agents', does: 'its cards no longer come up in searches' }],
  async run({ words }, context) {
    const audition = await context.audition()
    const known = await audition.sources()
    for (const id of words) sourceNamed(known, id)
    const ids = [...new Set(words)]
    await audition.removeSources(ids)
    context.print(`Forgot ${ids.map(printableLine).join(', ')}.`)
    return exitCodes.done
  },
})

const showCommand = defineCommand({
  description: 'Shows one source: where it lies, when it was read, and everything wrong with it.',
  arguments: [{ syntax: '<id>', description: 'the id of a source, as `audition sources` lists it' }],
  options: { json: flag('--json', 'print the source as JSON') },
  examples: [
    { line: 'audition sources show claude-agents', does: 'its problems with file, field and remedy' },
  ],
  async run({ words, flags }, context) {
    const audition = await context.audition()
    const source = sourceNamed(await audition.sources(), words[0] ?? '')
    if (flags.json) context.printJson(source)
    else await printSource(source, context)
    return exitCodes.done
  },
})

/** `audition sources`. */
export const sourcesCommand = defineCommand({
  description: 'Lists the sources in the store: what was read, when, and what failed.',
  options: { json: flag('--json', 'print the sources as JSON') },
  examples: [
    { line: 'audition sources', does: 'every source with its counts' },
    { line: 'audition sources show claude-agents', does: 'one source and its problems' },
    { line: 'audition sources remove old-agents', does: 'forget a source' },
  ],
  subcommands: [
    { name: 'show', summary: 'show one source and its problems', command: showCommand },
    { name: 'remove', summary: 'forget sources and their cards', command: removeCommand },
  ],
  async run({ flags }, context) {
    const audition = await context.audition()
    const sources = await audition.sources()
    if (flags.json) context.printJson(sources)
    else if (sources.length === 0) context.print('Nothing is indexed yet. Run `audition index`.')
    else await printTable(sources, context)
    return exitCodes.done
  },
})

function sourceNamed(sources: readonly SourceState[], id: string): SourceState {
  const source = sources.find((one) => one.id === id)
  if (source !== undefined) return source
  throw new Error(`no source "${printableLine(id)}". Run \`audition sources\` for their ids.`)
}

async function printTable(sources: readonly SourceState[], context: Context): Promise<void> {
  const { tableLines } = await import('../table.ts')
  const { stdout } = context.terminal
  const columns = [
    { title: 'source', paint: stdout.paint.cyan },
    { title: 'tools', align: 'right' },
    { title: 'agents', align: 'right' },
    { title: 'indexed' },
    { title: 'state', least: 12 },
    { title: 'location', least: 16 },
  ] as const
  const rows = sources.map((source) => [
    printableLine(source.id),
    String(source.tools),
    String(source.agents),
    timeText(source.indexedAt),
    stateText(source),
    printableLine(source.location),
  ])
  context.print(...tableLines(columns, rows, stdout))
}

function stateText({ failure, problems }: SourceState): string {
  if (failure !== undefined) return `failed: ${printableLine(failure)}`
  if (problems.length === 0) return 'ok'
  return problems.length === 1 ? '1 problem' : `${problems.length} problems`
}

/** ISO 8601 to the minute, in UTC as it is stored. */
const timeText = (time: string | null): string =>
  time === null ? 'never' : printableLine(time).slice(0, 16).replace('T', ' ')

async function printSource(source: SourceState, context: Context): Promise<void> {
  const { problemLines } = await import('../problem-lines.ts')
  const { stdout } = context.terminal
  const { paint } = stdout
  context.print(
    `${paint.cyan(printableLine(source.id))}  ${source.tools} tools, ${source.agents} agents`,
    `read by ${printableLine(source.reader)} from ${printableLine(source.location)}`,
    `indexed ${timeText(source.indexedAt)}`,
  )
  if (source.failure !== undefined) {
    context.print(paint.red(`The last run failed: ${printableLine(source.failure)}`), 'Its old cards stay.')
  }
  const problems = problemLines(source.problems, stdout, Number.POSITIVE_INFINITY)
  context.print(...(problems.length === 0 ? ['No problems.'] : ['', ...problems]))
}
