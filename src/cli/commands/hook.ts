import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { readInput } from '../ask/ask.ts'
import { defineCommand } from '../command.ts'
import { explainError, exitCodes } from '../errors.ts'
import type { Context } from '../context.ts'
import { hintOf } from '../hooks/hint.ts'
import { widerMatches } from '../hooks/tool-search.ts'

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
