import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { readInput } from '../ask/ask.ts'
import { defineCommand } from '../command.ts'
import { explainError, exitCodes } from '../errors.ts'
import { type Context, hostUser } from '../context.ts'
import { oneLine } from '../../server/text.ts'
import { textsIn } from '../../hosts/entry.ts'
import type { CardKind } from '../../domain/card.ts'
import { claudeCode } from '../../hosts/known/claude-code.ts'
import { type Asker, hereFor, sourceIsHere } from '../../hosts/reach.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { ScoredCard, SearchAnswer, SearchRequest } from '../../retrieval/answer.ts'
import { readFile, stat } from 'node:fs/promises'

/** What answers an event: fields for the host to take over, or nothing. */
const hooks = new Map<string, (event: JsonObject, context: Context) => Promise<JsonObject | undefined>>([
  ['UserPromptSubmit', hintOf],
  ['PostToolUse', widerMatches],
])

/** Most characters of an event that are read. */
const eventLimit = 1 << 20

/**
 * `audition hook`. Whatever goes wrong, the host goes on as if nobody had been asked: exit code 2 would have it stop what
 * its user wanted, and any other would show an error.
 */
export const command = defineCommand({
  description: [
    'Answers a hook of Claude Code: reads its event as JSON from standard input, and prints what it should take from it.',
    'The plugin that `audition init claude-code --plugin` writes calls this. It says nothing where it has nothing to add,',
    'and never fails; AUDITION_DEBUG=1 tells why it said nothing.',
  ].join(' '),
  options: {},
  examples: [{ line: 'audition hook < event.json', does: 'what Claude Code would be told' }],
  async run(_call, context) {
    try {
      const event: unknown = JSON.parse(await readInput(context.terminal.stdin, eventLimit))
      if (!isJsonObject(event)) return exitCodes.done
      const name = String(event.hook_event_name)
      const said = await hooks.get(name)?.(event, context)
      if (said !== undefined)
        context.terminal.stdout.write(
          `${JSON.stringify({ hookSpecificOutput: { hookEventName: name, ...said } })}\n`,
        )
    } catch (error) {
      if (context.env.AUDITION_DEBUG) context.log(...explainError(error, true))
    }
    return exitCodes.done
  },
})

/** Most characters of a prompt that a search reads. */
const mostCharacters = 8_000

/**
 * Least probability that an agent serves. Of 120 everyday prompts ("run the linter") over three collections of 156 to 416
 * sub-agents 6 got a hint, and 29 of 60 jobs for a specialist; by the verdict alone 30 and 47.
 */
const clearly = 2 / 3

/** Fewer words say no task: "yes", "go on", "and now the tests". */
const fewestWords = 4

/**
 * One sentence for the host's model when an installed agent clearly fits what the user wrote; each agent once in a
 * session. Of the card only the name goes in, and how it is called: what it says of itself is a stranger's words.
 */
async function hintOf(event: JsonObject, context: Context): Promise<JsonObject | undefined> {
  const { prompt } = event
  if (typeof prompt !== 'string' || !saysTask(prompt)) {
    debug(context, 'the prompt is a command, or too short to say a task')
    return undefined
  }
  const query = prompt.slice(0, mostCharacters)
  const found = await searchHere({ kind: 'agent', query, k: 1, filter }, event, context)
  const [first] = found?.usable ?? []
  const { match, likelihood = 0 } = found?.answer ?? {}
  if (first === undefined || match !== 'good' || likelihood < clearly) return undefined
  const what = first.card.kind === 'agent' && first.card.agentKind === 'skill' ? 'skill' : 'agent'
  const additionalContext = `Audition found an installed ${what} that fits this request: ${oneLine(first.call, 300)}`
  const asWritten = JSON.stringify(additionalContext).slice(1, -1)
  const isRepeated = (await transcriptOf(event)).some((line) => line.includes(asWritten))
  if (!isRepeated) return { additionalContext }
  debug(context, 'this session was told of it before')
  return undefined
}

/** What its model is asked to run by name. Tools of servers are found by its own search. */
const filter = { agentKinds: ['subagent', 'skill'] } as const

/** Commands of the host begin with a sign. */
function saysTask(prompt: string): boolean {
  const text = prompt.trim()
  if (/^[/!#]/.test(text)) return false
  const words = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text.slice(0, 2_000))
  let count = 0
  for (const { isWordLike } of words) if (isWordLike && ++count === fewestWords) return true
  return false
}

/** Most tools that are put before those that the host found. */
const most = 5

/**
 * The host's own matches for a `ToolSearch`, with ours before them. Its own stay, so that nothing is lost: it has tools
 * that no index knows. Ours are told only where this very session defers a tool of that name.
 */
async function widerMatches(event: JsonObject, context: Context): Promise<JsonObject | undefined> {
  const { tool_name, tool_input, tool_response, agent_id } = event
  // A sub-agent may have fewer tools than its session tells of.
  if (tool_name !== 'ToolSearch' || agent_id !== undefined) return undefined
  if (!isJsonObject(tool_input) || !isJsonObject(tool_response)) return undefined
  const { query, max_results } = tool_input
  if (typeof query !== 'string' || !Array.isArray(tool_response.matches)) return undefined
  const own = textsIn(tool_response.matches)
  const deferred = deferredTools(await transcriptOf(event))
  debug(context, `${deferred.size} deferred tools in the session, ${own.length} found by the host`)
  if (namesTools(query, deferred)) return undefined

  const k = Math.min(most, typeof max_results === 'number' && max_results >= 1 ? max_results : most)
  const { words, required } = wordsOf(query)
  const found = await searchHere({ kind: 'tool', query: words, k: 2 * most }, event, context)
  if (found === undefined || found.answer.match === 'none') return undefined
  const ours = found.usable
    .map(({ call }) => call)
    .filter((call) => deferred.has(call) && required.every((word) => call.toLowerCase().includes(word)))
    .slice(0, Math.trunc(k))
  if (ours.every((name) => own.includes(name))) return undefined
  return { updatedToolOutput: { ...tool_response, matches: [...new Set([...ours, ...own])] } }
}

/** Whether a query is the name of a tool, and no description of one. */
const namesTools = (query: string, deferred: ReadonlySet<string>): boolean => {
  const name = query.trim()
  return (
    /^select:/i.test(name) ||
    (!/\s/.test(name) && [...deferred].some((one) => one === name || one.endsWith(`__${name}`)))
  )
}

/** `+slack send`: of the host's query language, a word that the name must have. */
function wordsOf(query: string): { readonly words: string; readonly required: readonly string[] } {
  const words = query.trim().split(/\s+/)
  return {
    words: words.map((word) => word.replace(/^\+/, '')).join(' '),
    required: words.filter((word) => /^\+./.test(word)).map((word) => word.slice(1).toLowerCase()),
  }
}

/** A candidate that the host can use, and how its model calls it. */
type Usable = ScoredCard & { readonly call: string }

/**
 * Searches among what Claude Code has in the project of an event.
 *
 * @returns nothing when it has nothing that is indexed: then no model is loaded
 */
async function searchHere(
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
function debug({ env, log }: Context, line: string): void {
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
async function transcriptOf({ transcript_path: path }: JsonObject): Promise<readonly string[]> {
  if (typeof path !== 'string') return []
  const size = await stat(path).then(
    ({ size }) => size,
    () => mostBytes,
  )
  return size < mostBytes ? (await readFile(path, 'utf8')).split('\n') : []
}

/** The tools that the host defers and has not loaded yet, by the names it gives them. */
function deferredTools(lines: readonly string[]): ReadonlySet<string> {
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
