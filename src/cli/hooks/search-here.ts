import type { CardKind } from '../../domain/card.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { claudeCode } from '../../hosts/known/claude-code.ts'
import { type Asker, hereFor, sourceIsHere } from '../../hosts/reach.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { ScoredCard, SearchAnswer, SearchRequest } from '../../retrieval/answer.ts'
import { type Context, hostUser } from '../context.ts'
import { readFile, stat } from 'node:fs/promises'
import { textsIn } from '../../hosts/entry.ts'

/** A candidate that the host can use, and how its model calls it. */
export type Usable = ScoredCard & { readonly call: string }

/**
 * Searches among what Claude Code has in the project of an event.
 *
 * @returns nothing when it has nothing that is indexed: then no model is loaded
 */
export async function searchHere(
  request: { readonly kind: CardKind } & Pick<SearchRequest, 'query' | 'k' | 'filter'>,
  { cwd }: JsonObject,
  context: Context,
): Promise<{ readonly answer: SearchAnswer; readonly usable: readonly Usable[] } | undefined> {
  const asker = askerOf(cwd, context)
  const audition = await context.audition()
  const isHere = sourceIsHere(asker)
  const sources = (await audition.sources())
    .filter((source) => isHere(source.location) && source[`${request.kind}s`] > 0)
    .map(({ id }) => id)
  debug(context, `sources that Claude Code has here, with ${request.kind}s: ${sources.join(', ') || 'none'}`)
  if (sources.length === 0) return undefined
  const filter = { ...request.filter, sources }
  const answer = await audition.search({ ...request, filter }, context.signal)
  const here = hereFor(asker)
  const usable = answer.candidates.flatMap((candidate) => {
    const reach = here(candidate.card)
    return reach?.kind === 'here' ? [{ ...candidate, call: reach.call }] : []
  })
  const firsts = usable.slice(0, 3).map(({ call }) => call)
  debug(
    context,
    `match ${answer.match}, likelihood ${answer.likelihood ?? 'unknown'}: ${firsts.join(', ') || 'nothing'}`,
  )
  return { answer, usable }
}

/** For who looks why a hook said nothing: on the error output, with AUDITION_DEBUG alone. */
export function debug({ env, log }: Context, line: string): void {
  if (env.AUDITION_DEBUG) log(`hook: ${printableLine(line)}`)
}

/** The host names the folder of its project; the folder of the event may be one below it. */
function askerOf(cwd: JsonObject[string] | undefined, context: Context): Asker {
  const user = hostUser(context)
  const folder = context.env.CLAUDE_PROJECT_DIR || (typeof cwd === 'string' ? cwd : context.terminal.cwd)
  return { host: claudeCode, user, project: folder === user.home ? null : folder }
}

/** A longer one is not read: the host waits. */
const mostBytes = 64 << 20

/** The lines of the session that an event belongs to; none when it is kept nowhere, or is very long. */
export async function transcriptOf({ transcript_path: path }: JsonObject): Promise<readonly string[]> {
  if (typeof path !== 'string') return []
  const size = await stat(path).then(
    ({ size }) => size,
    () => mostBytes,
  )
  return size < mostBytes ? (await readFile(path, 'utf8')).split('\n') : []
}

/** The tools that the host defers and has not loaded yet, by the names it gives them. */
export function deferredTools(lines: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>()
  const loaded = new Set<string>()
  for (const line of lines) {
    for (const [, name = ''] of line.matchAll(/"tool_reference","tool_name":"([^"]+)"/g)) loaded.add(name)
    if (!line.includes('"deferred_tools_delta"')) continue
    const { attachment } = JSON.parse(line) as { readonly attachment?: unknown }
    if (!isJsonObject(attachment) || attachment.type !== 'deferred_tools_delta') continue
    for (const name of textsIn(attachment.addedNames)) names.add(name)
    for (const name of textsIn(attachment.removedNames)) names.delete(name)
  }
  for (const name of loaded) names.delete(name)
  return names
}
