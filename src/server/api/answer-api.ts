import { readRequestBody } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { JsonValue } from '../../domain/json.ts'
import { maskedJson, visibleJson } from '../../domain/text/masked-json.ts'
import { withoutPaths } from '../text.ts'
import { gatesOf } from '../call-gate.ts'
import { largestBody } from '../schemas.ts'
import { ApiError, errorNotice } from './api-error.ts'
import type { ApiContext, Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'

/** Where the API lies; another version will lie beside it. */
export const apiRoot = '/api/v1'

/** An endpoint without the types of what it takes, which {@link inputOf} checks. */
type AnyEndpoint = Endpoint<z.ZodObject, unknown>

/** Answers one request to the API. Never throws. */
export async function answerApi(request: Request, context: Omit<ApiContext, 'signal'>): Promise<Response> {
  const asked: ApiContext = { ...context, signal: request.signal }
  try {
    const { pathname, searchParams } = new URL(request.url)
    const name = pathname.slice(apiRoot.length + 1)
    // Our own words: addresses in them are no folders of the machine.
    if (pathname === apiRoot) return jsonResponse(described())
    if (name === 'events') return events(searchParams, asked)
    const found = Object.hasOwn(endpoints, name)
      ? (endpoints as { [name: string]: AnyEndpoint })[name]
      : undefined
    if (found === undefined)
      throw new ApiError(404, `There is no ${pathname}.`, `GET ${apiRoot} lists what there is.`)
    checkAllowed(found, request.method, asked)
    const input = await inputOf(found, request)
    const work = () => found.handle(input, asked)
    return answer(
      await (found.effect === 'reads' ? gatesOf(asked.app).reads.run(work, asked.signal) : work()),
      asked,
    )
  } catch (error) {
    if (request.signal.aborted) return new Response(null, { status: 499 }) // nobody waits any more
    const { status, notice: words } = errorNotice(error)
    return answer({ error: words }, asked, status)
  }
}

/** @throws ApiError 405, 403 */
function checkAllowed({ effect, who = 'caller' }: AnyEndpoint, method: string, { role }: ApiContext): void {
  if (method !== 'POST' && (method !== 'GET' || effect === 'changes'))
    throw new ApiError(
      405,
      `${method} is not allowed here.`,
      effect === 'changes' ? 'Use POST.' : 'Use GET or POST.',
    )
  if (who === 'owner' && role !== 'owner')
    throw new ApiError(
      403,
      'Only the person at the machine that serves this may do that.',
      'There: `audition ui`.',
    )
}

/** @throws ApiError 400 naming the field, 413, 415 */
async function inputOf({ input }: AnyEndpoint, request: Request): Promise<z.output<z.ZodObject>> {
  const parsed = input.safeParse(request.method === 'GET' ? ofAddress(request) : await ofBody(request))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const takes = Object.keys(input.shape).join(', ')
  throw new ApiError(400, sentenceOf(issue!), takes === '' ? 'It takes nothing.' : `It takes: ${takes}.`)
}

/** What does not fit, for people. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  const field = issue.path.length === 0 ? 'The request' : `"${issue.path.join('.')}"`
  if (issue.code === 'invalid_value') return `${field} is none of: ${issue.values.join(', ')}.`
  if (issue.code === 'unrecognized_keys') return `Nothing is called ${issue.keys.join(', ')} here.`
  if (issue.code === 'too_small' && issue.minimum === 1 && issue.origin !== 'number')
    return `${field} is empty.`
  if (issue.message.endsWith('received undefined')) return `${field} is missing.`
  if (issue.code === 'invalid_type') return `${field} has to be ${formOf(issue.expected)}.`
  return `${field} does not fit: ${issue.message}.`
}

/** What JSON has to be there, in plain words. */
const formOf = (expected: string): string => forms[expected] ?? `JSON of the type ${expected}`

const forms: { readonly [expected: string]: string | undefined } = {
  record: 'a JSON object, such as {"city": "Oslo"}',
  object: 'a JSON object, such as {"city": "Oslo"}',
  array: 'a list in brackets',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

function ofAddress(request: Request): { readonly [name: string]: string | readonly string[] } {
  const { searchParams } = new URL(request.url)
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name)
      return [name, values.length === 1 ? values[0]! : values]
    }),
  )
}

/** Only JSON that says so: a form of another site cannot send it without asking first. */
async function ofBody(request: Request): Promise<unknown> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new ApiError(
      415,
      'The body is not marked as JSON.',
      'Send the header content-type: application/json.',
    )
  const body = await readRequestBody(request, largestBody)
  if (body.tooLarge)
    throw new ApiError(413, 'The body is too large.', `At most ${largestBody} bytes are read.`)
  try {
    return JSON.parse(body.text === '' ? '{}' : body.text)
  } catch {
    throw new ApiError(400, 'The body is no JSON.', 'Send one object.')
  }
}

/** What there is, for programs: what each takes as JSON Schema. */
const described = () => ({
  version: 1,
  endpoints: Object.entries(endpoints as { [name: string]: AnyEndpoint }).map(
    ([name, { does, effect, who = 'caller', input }]) => ({
      name,
      path: `${apiRoot}/${name}`,
      does,
      effect,
      who,
      input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
    }),
  ),
})

/** What is told to others than the owner names no folder of this machine; nothing told to anybody hides characters. */
function shown(value: unknown, { role }: ApiContext): JsonValue {
  const visible = visibleJson(JSON.parse(JSON.stringify(value)) as JsonValue)
  return role === 'owner' ? visible : maskedJson(visible, withoutPaths, 500)
}

const jsonResponse = (value: unknown, status = 200): Response =>
  Response.json(value, { status, headers: { 'cache-control': 'no-store' } })

const answer = (value: unknown, context: ApiContext, status = 200): Response =>
  jsonResponse(shown(value, context), status)

const everyMs = 15_000

/** Events of a job as a stream (`text/event-stream`); it ends with the job, whose id the last event tells. */
function events(asked: URLSearchParams, context: ApiContext): Response {
  const { jobs, signal } = context
  const id = asked.get('id') ?? ''
  const after = Number(asked.get('after') ?? 0)
  jobs.find(id)
  const encoder = new TextEncoder()
  const given = new AbortController()
  signal.addEventListener('abort', () => given.abort(), { once: true })
  const body = new ReadableStream<Uint8Array>({
    async start(stream) {
      const send = (text: string): void => {
        if (!given.signal.aborted) stream.enqueue(encoder.encode(text))
      }
      const beat = setInterval(() => send(': still here\n\n'), everyMs)
      beat.unref()
      send(': watching\n\n')
      try {
        for await (const event of jobs.events(id, Number.isFinite(after) ? after : 0, given.signal))
          send(`id: ${event.number}\ndata: ${JSON.stringify(shown(event.step, context))}\n\n`)
        send(`event: end\ndata: ${JSON.stringify(id)}\n\n`)
        if (!given.signal.aborted) stream.close()
      } finally {
        clearInterval(beat)
      }
    },
    cancel: () => given.abort(),
  })
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  }
  return new Response(body, { headers })
}
