import { beginningOf } from '../../domain/text/cut.ts'
import type { LiveToolCheck, Withheld } from '../../trust/review/check-live-tools.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import type { JsonObject } from '../../domain/json.ts'
import { RuntimeError, type WithheldTool } from '../../probing/ports.ts'
import type { McpServerEntry } from '../../catalog/ports.ts'
import type { ServerSession } from './server-session.ts'

/** Tools of a server, parted by whether the model may have them. */
type CheckedTools = {
  readonly fit: readonly JsonObject[]
  readonly withheld: readonly WithheldTool[]
}

/** Characters of a name that is told. */
const longestName = 128

/**
 * Checks the tools that an agent wants of a server. The others are not looked at: nobody gets them.
 *
 * @throws RuntimeError when the catalog cannot be read: then nothing can be said of any tool
 */
export async function checkedTools(
  { entry, session, isWanted }: WantedOfSession,
  check: LiveToolCheck,
  signal: AbortSignal,
): Promise<CheckedTools> {
  const { harvest } = session
  const wanted = session.tools.flatMap((tool, index) =>
    typeof tool.name === 'string' && isWanted(tool.name) ? [{ tool, listed: harvest.tools[index]! }] : [],
  )
  const verdicts = await check(
    entry,
    { ...harvest, tools: wanted.map(({ listed }) => listed) },
    signal,
  ).catch((error: unknown) => {
    signal.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    throw new RuntimeError(
      `The tools of "${entry.name}" cannot be compared with the catalog: ${why}`,
      'Run `audition doctor`.',
      { cause: error },
    )
  })
  return {
    fit: wanted.flatMap(({ tool }, index) => (verdicts[index] === null ? [tool] : [])),
    withheld: wanted.flatMap(({ tool }, index) => {
      const verdict = verdicts[index]
      return verdict ? [withheldTool(tool.name as string, verdict)] : []
    }),
  }
}

/** A session, and which of its tools are wanted. */
type WantedOfSession = {
  readonly entry: McpServerEntry
  readonly session: ServerSession
  readonly isWanted: (tool: string) => boolean
}

function withheldTool(name: string, { because, source, rules }: Withheld): WithheldTool {
  const tool = beginningOf(printableLine(name), longestName)
  const why = reasons[because](source === null ? '' : printableLine(source), rules.join(', '))
  return { tool, because, source, text: `tool ${quoted(tool)} is withheld from the model: ${why}` }
}

const quoted = (text: string): string => JSON.stringify(text)

const reasons: {
  readonly [because in Withheld['because']]: (source: string, rules: string) => string
} = {
  changed: (source) => `it changed since ${quoted(source)} was indexed. ${toSee(source)}`,
  new: (source) => `it is new since ${quoted(source)} was indexed. ${toTake(source)}`,
  server: (source) => `its server gives another name of itself than ${quoted(source)} had. ${toSee(source)}`,
  held: (source) => `${quoted(source)} holds it. ${toShow(source)}`,
  finding: (source, rules) => `the scan found ${rules}. ${source === '' ? toIndex : toSee(source)}`,
  malformed: () =>
    'its server lists it twice, or so that it cannot be checked. Tell the makers of the server.',
}

const show = (source: string): string => `audition sources show ${shellWord(source, process.platform)}`
const toSee = (source: string): string =>
  `To see the difference: \`audition index --refresh\`, then \`${show(source)}\``
const toTake = (source: string): string =>
  `\`audition index --refresh\` takes it unless the scan finds it hostile, which \`${show(source)}\` would say`
const toShow = (source: string): string => `To see why: \`${show(source)}\``
const toIndex =
  'To see it: `audition index --refresh` a configuration that names its server, then `audition sources`'
