import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { readInput } from '../ask/ask.ts'
import { defineCommand } from '../command.ts'
import { explainError, exitCodes } from '../errors.ts'
import type { Context } from '../context.ts'
import { oneLine } from '../../server/answers/text.ts'
import { debug, deferredTools, searchHere, transcriptOf } from '../hooks/search-here.ts'
import { textsIn } from '../../hosts/entry.ts'

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
  const isTold = (await transcriptOf(event)).some((line) => line.includes(asWritten))
  if (!isTold) return { additionalContext }
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
