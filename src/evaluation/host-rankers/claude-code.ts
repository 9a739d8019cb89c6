import { foundOf, type HostRanker, type SearchedTool } from './host-ranker.ts'

/**
 * `ToolSearch` of Claude Code for deferred tools of MCP servers. For each word of the query, which are parted at white space alone, a tool
 * gets
 *
 * - 12 where the word is a part of its name or its server's (parted at `_`, `.` and white space), else 6 where it lies within a part;
 * - 12 more where it is the whole name of the tool or the server, else 4 where it lies within one;
 * - 4 where it stands as a word in the search hint, 2 where it does in the description.
 *
 * A word after `+` must be there in one of these ways. Equal scores stand by the names that Claude Code gives the tools. The forms
 * `select:` and `mcp__server`, which only a model writes, are not searches and not here.
 *
 * @see Re-implementations in public repositories that give these weights, in two generations: `12/6/4/2` without the second line (in
 * some as `12/6/3/2`, the 3 for a name as a whole, which no word can reach alone), and since 2.1.156 with it. The second is what Claude
 * Code 2.1.332 does: `test/library/hosts/host-rankers.test.ts` asks the program, and the first 20 tools of 44 searches are the same.
 */
export const claudeCode: HostRanker = {
  name: 'claude-code',
  title: 'Claude Code',
  over(tools) {
    const read = tools.map(readTool)
    const places = read.map((_, index) => index)
    places.sort((a, b) => collator.compare(read[a]!.call, read[b]!.call) || a - b)
    const inOrder = places.map((index) => read[index]!)
    return (query) => {
      const terms = termsOf(query)
      const scores = inOrder.map((tool) => scoreOf(tool, terms))
      return Promise.resolve(foundOf(scores).map(({ index, score }) => ({ index: places[index]!, score })))
    }
  },
}

/** Names as a dictionary of English has them: the program orders tools so, and not by code units. */
const collator = new Intl.Collator('en')

const weights = { part: 12, withinPart: 6, whole: 12, withinWhole: 4, hint: 4, description: 2 } as const

type ReadTool = {
  readonly call: string
  readonly wholes: readonly string[]
  readonly parts: readonly string[]
  readonly hint: string
  readonly description: string
}

function readTool({ server = '', name, searchHint = '', description = '' }: SearchedTool): ReadTool {
  const wholes = [server, name].map(callable).filter((word) => word !== '')
  return {
    call: ['mcp', ...wholes].join('__'),
    wholes: wholes.map((word) => word.toLowerCase()),
    parts: wholes.flatMap((word) => word.toLowerCase().split(/[\s_.]+/)).filter((part) => part !== ''),
    hint: searchHint.toLowerCase(),
    description: description.toLowerCase(),
  }
}

/** Letters that a call cannot have become `_` before anything is searched. */
const callable = (name: string): string => name.replace(/[^\w-]/g, '_')

type Term = { readonly word: string; readonly isNeeded: boolean; readonly asWord: RegExp }

const termsOf = (query: string): readonly Term[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((given) => {
      const isNeeded = given.startsWith('+') && given.length > 1
      const word = isNeeded ? given.slice(1) : given
      return { word, isNeeded, asWord: new RegExp(`\\b${word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}\\b`) }
    })

function scoreOf(tool: ReadTool, terms: readonly Term[]): number {
  const scores = terms.map((term) => termScore(tool, term))
  if (terms.some(({ isNeeded }, index) => isNeeded && scores[index] === 0)) return 0
  return scores.reduce((sum, score) => sum + score, 0)
}

const termScore = ({ parts, wholes, hint, description }: ReadTool, { word, asWord }: Term): number =>
  nameScore(parts, word, [weights.part, weights.withinPart]) +
  nameScore(wholes, word, [weights.whole, weights.withinWhole]) +
  (asWord.test(hint) ? weights.hint : 0) +
  (asWord.test(description) ? weights.description : 0)

const nameScore = (
  names: readonly string[],
  word: string,
  [same, within]: readonly [number, number],
): number => (names.includes(word) ? same : names.some((name) => name.includes(word)) ? within : 0)
