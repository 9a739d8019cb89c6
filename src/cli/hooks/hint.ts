import type { JsonObject } from '../../domain/json.ts'
import { oneLine } from '../../server/answers/text.ts'
import type { Context } from '../context.ts'
import { debug, searchHere } from './search-here.ts'
import { transcriptOf } from './transcript.ts'

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
export async function hintOf(event: JsonObject, context: Context): Promise<JsonObject | undefined> {
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
  const words = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)
  let count = 0
  for (const { isWordLike } of words) if (isWordLike && ++count === fewestWords) return true
  return false
}
