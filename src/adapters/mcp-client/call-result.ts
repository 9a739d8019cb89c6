import { z } from 'zod'
import { isJsonObject, type JsonValue } from '../../domain/json.ts'

/** What a tool's call gave. */
export type CallResult = {
  /** The content as text that people may see; what is no text (images, audio) stands as a note in brackets. */
  readonly text: string
  /** `structuredContent`, where the tool gives it. */
  readonly structured?: JsonValue
  /** The tool says that it failed (`isError`), or its server answered with an error. */
  readonly failed: boolean
}

/** The answer to tools/call, as leniently as can be. */
export const callAnswer = z.looseObject({
  content: z.array(z.unknown()).nullish(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().nullish(),
})

/** Reads an answer; a tool that gives structured content alone has it as its text too. */
export function callResultOf({
  content,
  structuredContent,
  isError,
}: z.output<typeof callAnswer>): CallResult {
  const text = (content ?? []).map(textOfBlock).join('\n')
  const structured = structuredContent as JsonValue | undefined
  return {
    text: text === '' && structured !== undefined ? JSON.stringify(structured) : text,
    ...(structured === undefined ? {} : { structured }),
    failed: isError ?? false,
  }
}

function textOfBlock(block: unknown): string {
  if (!isJsonObject(block)) return '[content that is no block]'
  if (typeof block.text === 'string') return block.text
  const { resource } = block
  if (isJsonObject(resource)) {
    return typeof resource.text === 'string' ? resource.text : `[resource ${String(resource.uri)}]`
  }
  if (typeof block.uri === 'string') return `[link to ${block.uri}]`
  const size = typeof block.data === 'string' ? `, ${Math.floor((block.data.length * 3) / 4)} bytes` : ''
  return `[${String(block.type)} ${String(block.mimeType ?? '')}${size}]`
    .replace(' ]', ']')
    .replace(' ,', ',')
}
