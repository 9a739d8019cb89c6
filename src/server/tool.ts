import type { ContentBlock } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { RemedyError, withRemedy } from '../domain/remedy-error.ts'
import type { Audition } from '../compose/audition.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import { NoIndexError } from '../retrieval/ports.ts'
import { BusyError, gatesOf } from './call-gate.ts'
import { withoutPaths } from './text.ts'
import { listedSchema } from './schemas.ts'
import { argumentMistakes, Mistake } from './mistakes.ts'
import { once } from '../domain/once.ts'
import type { Asking } from './asking/asker.ts'

/** What a call brings besides its arguments. */
export type ToolContext = {
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal
  /** Tells a caller who wants to know how far the call is; `done` never falls. */
  readonly progress?: (done: number, total: number | undefined, message: string) => void
  /** Who calls. @defaultValue nobody that is known */
  readonly asking?: () => Promise<Asking>
}

export const askedByNobody: Asking = { asker: null, calls: false }

/** A resource that an answer points to. */
export type ResourceLink = {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly mimeType: string
  /** Whom it is for. @defaultValue the model and the user */
  readonly annotations?: { readonly audience: ['user'] }
}

/** What a tool answers. Hosts show their model the text or the structure: each must do alone. */
export type ServedAnswer = {
  readonly text: string
  /** Absent in what others gave in words alone. */
  readonly structured?: JsonObject
  readonly links?: readonly ResourceLink[]
  /** Blocks of the protocol that others gave. */
  readonly blocks?: readonly JsonObject[]
  /** What was called says that it failed. */
  readonly failed?: true
}

/** A tool that we serve, as data. */
type Tool<Input extends z.ZodObject> = {
  readonly name: string
  readonly title: string
  /** For the model: when to call it, what comes back, what to do next. */
  readonly description: string
  readonly input: Input
  /** Null for a tool that gives what others give. */
  readonly output: z.ZodObject | null
  /** What a call changes in the world. */
  readonly effect: keyof typeof annotationsOf
  /** When a host shows its model tool names only and loads the rest on demand. */
  readonly loading: Loading
  /** Right arguments, shown to a model that gave wrong ones. */
  readonly example: z.input<Input>
  /** @throws Mistake when the arguments, though well formed, cannot be met */
  handle(app: Audition, input: z.output<Input>, context: ToolContext): Promise<ServedAnswer>
}

/**
 * How a host that loads tools on demand is to treat one: `always` loaded, or found by a hint of few words. Hosts that do not know
 * of it leave it unread.
 */
type Loading = 'always' | { readonly hint: string }

/** The same in the words of Claude Code. */
const metaOf = (loading: Loading): { readonly [key: string]: JsonValue } =>
  loading === 'always' ? { 'anthropic/alwaysLoad': true } : { 'anthropic/searchHint': loading.hint }

/** What a tool's effect means in the protocol's words. */
const annotationsOf = {
  readOnly: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  /** Calls what others made and declare to change nothing. */
  readsThrough: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  /** Writes files of Audition's own; the same call writes the same. */
  keepsRecords: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  /** Runs what others made, as far as the user allows: it may do anything that they do. */
  runsOthers: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
} as const

/** The result of a call as the protocol carries it. */
export type ProtocolResult = {
  content: [{ type: 'text'; text: string }, ...(({ type: 'resource_link' } & ResourceLink) | ContentBlock)[]]
  structuredContent?: { [key: string]: unknown }
  isError?: boolean
}

/** A tool as the server sees it: without the types of its arguments, which {@link ServedTool.call} checks. */
export type ServedTool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly annotations: (typeof annotationsOf)[keyof typeof annotationsOf]
  readonly meta: { readonly [key: string]: JsonValue }
  readonly output: z.ZodObject | null
  /** JSON Schema 2020-12, made once. */
  inputSchema(): JsonObject
  /** Likewise; undefined where there is no output schema. */
  outputSchema(): JsonObject | undefined
  /** Never throws: what goes wrong is told to the model in a result marked as error. */
  call(app: Audition, given: unknown, context: ToolContext): Promise<ProtocolResult>
}

/** Makes a tool servable. Arguments are checked here, so that a mistake is answered with right arguments. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): ServedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    annotations: annotationsOf[tool.effect],
    meta: metaOf(tool.loading),
    output: tool.output,
    inputSchema: once(() => listedSchema(tool.input, 'input')),
    outputSchema: once(() => (tool.output ? listedSchema(tool.output, 'output') : undefined)),
    async call(app, given, context) {
      const stated = withoutNulls(given ?? {})
      const parsed = tool.input.safeParse(stated)
      if (!parsed.success) return failed(argumentMistakes(tool, stated, parsed.error))
      try {
        const gate = gatesOf(app)[tool.effect === 'readOnly' ? 'reads' : 'jobs']
        const answer = await gate.run(() => tool.handle(app, parsed.data, context), context.signal)
        return {
          content: [
            { type: 'text', text: answer.text },
            ...((answer.blocks ?? []) as unknown as readonly ContentBlock[]),
            ...(answer.links ?? []).map(linkBlock),
          ],
          ...(answer.structured === undefined ? {} : { structuredContent: answer.structured }),
          ...(answer.failed === true ? { isError: true } : {}),
        }
      } catch (error) {
        const { aborted } = context.signal // then nobody waits for the answer, and nothing went wrong
        return failed(aborted ? `${tool.name} was given up by its caller.` : explain(tool.name, error))
      }
    },
  }
}

/** Hosts that make their model name every argument say null for one that is left out. */
const withoutNulls = (given: unknown): unknown =>
  typeof given === 'object' && !Array.isArray(given) && given !== null
    ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
    : given

const linkBlock = (link: ResourceLink) => ({ type: 'resource_link' as const, ...link })

const failed = (text: string): ProtocolResult => ({ content: [{ type: 'text', text }], isError: true })

/** What a model is told of an error; what a person needs besides goes to stderr. */
function explain(tool: string, error: unknown): string {
  if (error instanceof Mistake || error instanceof BusyError) return error.message
  if (error instanceof NoIndexError) return 'Nothing is indexed yet. Run: audition index'
  console.error(`audition: ${tool} failed:`, error)
  if (!(error instanceof Error)) return `${tool} failed inside.`
  const [message = ''] = error.message.split('\n')
  const what = `${tool} failed: ${message || error.name}`
  return withoutPaths(RemedyError.isInstance(error) ? withRemedy(what, error.remedy) : what)
}
