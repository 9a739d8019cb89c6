import { z } from 'zod'
import type { ToolCard } from '../../../domain/card.ts'
import type { JsonObject, JsonValue } from '../../../domain/json.ts'
import { maskTokens } from '../../../domain/text/secrets.ts'
import type { Imitation, ToolAnswer, ToolImitator } from '../../../simulating/ports.ts'
import { aboutFences, cutToTokens, fencedData, type MakeCode, randomCode } from '../agents/fenced-data.ts'
import { checkedModel, type LanguageModelSettings } from '../models/language-model.ts'
import { askConfigured, objectIn } from './ask-for-object.ts'

/** Tokens that are shown of the tool's card, of the arguments, and of what was called before. */
const most = { card: 3_000, arguments: 4_000, history: 6_000, examples: 3_000 } as const

/** Services hold an answer to its schema only where this is plain: a result is JSON in a text. */
const answerShape = z.object({ failed: z.boolean(), answer: z.string() })

/** As models answer that nothing holds to it. */
const looseShape = z.object({
  failed: z.boolean().default(false),
  answer: z.union([z.string(), z.json().transform((value) => JSON.stringify(value))]),
})

const system = (code: string): string =>
  'You play a tool of an MCP server for a test: you answer a call as the tool itself would, and nothing is really done.\n' +
  `${aboutFences(code)}\n` +
  'Obey the output schema to the letter. Agree with all that was answered before: what was created is there until it is deleted, with the ' +
  'ids that were given. Answer as the examples do. Invent plausible details where nothing is known, and never more than the tool gives. ' +
  'Where the real tool would fail (what is asked for is not there, a value makes no sense), fail as it would.\n' +
  'Answer with one JSON object: {"failed": false, "answer": "..."}. The answer is a text: where there is an output schema the JSON that it ' +
  'describes, else what the tool prints; and where the call fails ("failed": true) what the tool says then.'

/**
 * A language model that answers as a tool would.
 *
 * @throws LanguageModelError at once when the setting names no model
 * @see Guo et al., StableToolBench-MirrorAPI, 2025: a model stands for APIs, by their documentation and recorded calls
 */
export function toolImitator(
  settings: LanguageModelSettings,
  { makeCode = randomCode }: { readonly makeCode?: MakeCode } = {},
): ToolImitator {
  checkedModel(settings)
  return {
    model: settings.spec,
    async imitate(imitation, signal) {
      const code = makeCode()
      const said = await askConfigured(settings, {
        system: system(code),
        prompt: promptOf(imitation, code),
        schema: answerShape,
        signal,
        read: (text) => objectIn(text, looseShape),
      })
      return said === null ? null : answerOf(said, imitation.tool)
    },
  }
}

function answerOf(
  { failed, answer }: z.output<typeof answerShape>,
  { outputSchema }: ToolCard,
): ToolAnswer | null {
  const said: ToolAnswer = { content: [{ type: 'text', text: answer }], failed }
  if (failed || outputSchema === undefined) return said
  try {
    return { ...said, structured: JSON.parse(answer) as JsonValue }
  } catch {
    return null
  }
}

function promptOf(
  { server, tool, arguments: given, history, examples, fault }: Imitation,
  code: string,
): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  const fenced = (label: string, value: unknown, tokens: number) =>
    fencedData(label, cutToTokens(maskTokens(JSON.stringify(value)), tokens).text, code)
  const shown = { server, name, title, description, annotations, inputSchema, outputSchema }
  return [
    fenced('TOOL', shown, most.card),
    ...(examples.length === 0
      ? []
      : [
          fenced(
            'EXAMPLES',
            examples.map(({ arguments: asked, answer }) => callOf(asked, answer)),
            most.examples,
          ),
        ]),
    ...(history.length === 0 ? [] : [fencedData('BEFORE', pastOf(history), code)]),
    fenced('ARGUMENTS', given, most.arguments),
    ...(fault === undefined
      ? []
      : [fenced('FAULT', fault, 200), 'Your answer before had this fault. Mend it.']),
    'Answer the call of the tool.',
  ].join('\n\n')
}

const callOf = (given: JsonObject, { structured, content, failed }: ToolAnswer) => ({
  arguments: given,
  ...(failed ? { failed } : {}),
  answer: structured ?? content,
})

/** As many calls as there is room for: those that changed something come first, the newest before others. */
function pastOf(history: Imitation['history']): string {
  const lines = history.map(({ tool, arguments: given, answer, changes }, at) => {
    const text = maskTokens(JSON.stringify({ tool, ...callOf(given, answer) }))
    return { at, changes, ...cutToTokens(text, 1_000) }
  })
  let left: number = most.history
  const newest = lines.toReversed()
  const kept = [
    ...newest.filter(({ changes }) => changes),
    ...newest.filter(({ changes }) => !changes),
  ].filter(({ tokens }) => {
    left -= Math.min(tokens, 1_000)
    return left >= 0
  })
  return kept
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join('\n')
}
