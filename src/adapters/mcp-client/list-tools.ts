import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'

/** A server sends what no honest server does: a list without an end, text in place of messages. */
export class FloodError extends Error {
  override readonly name = 'FloodError'
}

/** How much of a server's list is taken before it counts as broken or hostile. */
export type ListLimits = {
  /** Pages of `tools/list`. Integer >= 1. */
  readonly pages: number
  /** Tools over all pages. Integer >= 1. */
  readonly tools: number
}

/** A server's pages lead back to a page that was read already. */
export class RepeatedCursorError extends Error {
  override readonly name = 'RepeatedCursorError'
}

/**
 * One page as leniently as can be: a single malformed tool must not cost all the others, as it would with the SDK's
 * own schema.
 */
const toolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() })

/**
 * Every page of `tools/list`. What stands in place of a tool without being an object comes as an empty one.
 *
 * @throws FloodError past a limit
 * @throws RepeatedCursorError when a cursor comes twice
 */
export async function listTools(
  client: Client,
  limits: ListLimits,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<readonly JsonObject[]> {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const tools: JsonObject[] = []
  const cursors = new Set<string>()
  for (let cursor: string | undefined; ; ) {
    const params = cursor === undefined ? {} : { cursor }
    const page = await client.request({ method: 'tools/list', params }, toolPage, options)
    for (const tool of page.tools) tools.push(isJsonObject(tool) ? tool : {})
    if (tools.length > limits.tools) throw new FloodError(`it lists more than ${limits.tools} tools`)
    cursor = page.nextCursor ?? undefined
    if (cursor === undefined) return tools
    if (cursors.has(cursor)) throw new RepeatedCursorError('the pages of its tool list go in circles')
    cursors.add(cursor)
    if (cursors.size >= limits.pages)
      throw new FloodError(`it lists its tools on more than ${limits.pages} pages`)
  }
}
