import { displayOf } from '../../catalog/server-entries.ts'
import { countOf } from '../../domain/text/count-of.ts'
import type { PlannedServer } from '../../indexing/planned-servers.ts'
import type { Output, Terminal } from '../terminal.ts'
import { askLine } from './ask.ts'
import { left, right, tableOf } from '../render/table.ts'

/**
 * Servers as a table: name, what is started or reached (secrets masked), and the configuration that says so, numbered where a person
 * chooses among them. Nothing is cut: a person decides by it.
 */
export function serverTable(
  servers: readonly PlannedServer[],
  output: Output,
  { numbered }: { readonly numbered: boolean } = { numbered: false },
): readonly string[] {
  const wide = { least: 16, overflow: 'wrap' } as const
  return tableOf(servers, output, [
    ...(numbered ? [right<PlannedServer>('#', (_, at) => at + 1)] : []),
    left('server', ({ entry }) => entry.name, { paint: output.paint.cyan }),
    left('starts', ({ entry }) => displayOf(entry.launch), wide),
    left('configured in', ({ entry }) => entry.config, wide),
  ])
}

/** What a person chose; null when nobody could be asked. */
type ServerChoice = {
  readonly start: readonly PlannedServer[]
  /** What they left out when they chose one by one: that is remembered. */
  readonly leave: readonly PlannedServer[]
} | null

/** Wrong answers after which nothing is started. */
const mostTries = 3

/**
 * Asks which of these servers may be started: all, none, or those of some numbers or names. An empty answer is none, and what was
 * not chosen from all is only not started now; what was left out one by one is said no to.
 */
export async function chooseServers(
  servers: readonly PlannedServer[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ServerChoice> {
  const question =
    servers.length === 1
      ? 'Start it now? yes / no [y/N]'
      : `Start ${countOf(servers.length, 'MCP server')} now? all / none / choose [a/N/c]`
  let answer = await askLine(question, terminal, signal)
  if (answer === null) return null
  for (let tried = 1; tried <= mostTries; tried += 1) {
    const word = answer.toLowerCase()
    if (word === '' || isWord(word, 'none') || isWord(word, 'no')) break
    if (isWord(word, 'all') || isWord(word, 'yes')) return { start: servers, leave: [] }
    if (!isWord(word, 'choose')) {
      const chosen = chosenOf(answer, servers)
      if ('chosen' in chosen) {
        const { chosen: start } = chosen
        return { start, leave: servers.filter((server) => !start.includes(server)) }
      }
      terminal.stderr.write(`There is no ${chosen.unknown}.\n`)
    }
    answer = (await askLine('Which ones? Numbers or names, as in 1 3-5 github:', terminal, signal)) ?? ''
  }
  return { start: [], leave: [] }
}

/** Whether it is the word, or how it begins. */
const isWord = (typed: string, word: string): boolean => typed !== '' && word.startsWith(typed)

/** The servers of `1 3-5 github`: numbers of the table, ranges of them, names. */
function chosenOf(
  answer: string,
  servers: readonly PlannedServer[],
): { readonly chosen: readonly PlannedServer[] } | { readonly unknown: string } {
  const chosen = new Set<PlannedServer>()
  for (const word of answer.split(/[\s,;]+/).filter((one) => one !== '')) {
    const named = servers.filter(({ entry }) => entry.name.toLowerCase() === word.toLowerCase())
    const [, from = '', to = from] = /^(\d+)(?:-(\d+))?$/.exec(word) ?? []
    const numbered = from === '' ? [] : servers.slice(Number(from) - 1, Number(to))
    const isThere = Number(from) >= 1 && Number(to) <= servers.length && numbered.length > 0
    const found = named.length > 0 ? named : isThere ? numbered : []
    if (found.length === 0) return { unknown: word }
    for (const server of found) chosen.add(server)
  }
  return { chosen: servers.filter((server) => chosen.has(server)) }
}
