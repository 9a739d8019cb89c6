import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { maskedWhole } from '../../domain/text/masked-json.ts'
import type { ToolResult } from '../../probing/calls/ports.ts'

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

/** The blocks of an answer. Some servers give a bare text among them. */
const blocksOf = (content: z.output<typeof callAnswer>['content']): readonly JsonObject[] =>
  (content ?? []).map((item) =>
    isJsonObject(item)
      ? item
      : { type: 'text', text: typeof item === 'string' ? item : '[content that is no block]' },
  )

/** Reads an answer; a tool that gives structured content alone has it as its text too. */
export function callResultOf({
  content,
  structuredContent,
  isError,
}: z.output<typeof callAnswer>): CallResult {
  const text = blocksOf(content).map(textOfBlock).join('\n')
  const structured = structuredContent as JsonValue | undefined
  return {
    text: text === '' && structured !== undefined ? JSON.stringify(structured) : text,
    ...(structured === undefined ? {} : { structured }),
    failed: isError ?? false,
  }
}

/** An answer with all its blocks. @param notPassedOn - what the server asked of us meanwhile and did not get */
export function resultOf(
  { content, structuredContent, isError }: z.output<typeof callAnswer>,
  mask: (text: string) => string,
  notPassedOn: string | null,
): ToolResult {
  // Pictures and sound hold no words.
  const masked = (block: JsonObject): JsonObject =>
    block.type === 'image' || block.type === 'audio' ? block : (maskedWhole(block, mask) as JsonObject)
  const blocks = blocksOf(content).map(masked)
  if (isError === true) {
    const isArguments = ofArguments.test(blocks.map(textOfBlock).join('\n'))
    return failedResult(blocks, isArguments ? 'arguments' : null, notPassedOn)
  }
  return {
    content: blocks,
    ...(structuredContent === undefined || structuredContent === null
      ? {}
      : { structured: maskedWhole(structuredContent as JsonValue, mask) }),
    failed: false,
    excuse: null,
  }
}

/** What a call that failed gave. One whose server asked for what we do not pass on may have failed for that alone. */
export const failedResult = (
  blocks: readonly JsonObject[],
  excuse: ToolResult['excuse'],
  notPassedOn: string | null,
): ToolResult => {
  // Servers of the official SDKs look at what a client can do, and ask nothing of one that cannot.
  const wanted = notPassedOn ?? ofClient.exec(blocks.map(textOfBlock).join('\n'))?.[1] ?? null
  if (wanted === null) return { content: blocks, failed: true, excuse }
  const text = `It asked for ${wanted}, which Audition does not pass on.`
  return { content: [...blocks, { type: 'text', text }], failed: true, excuse: 'refused' }
}

/** Words by which the official SDKs refuse to ask a client for what it has not declared. */
const ofClient = /\bclient does not support (?:[\w-]{1,20} ){0,3}(elicitation|sampling|roots)\b/i

/** Words by which tools say that they were asked wrongly, or for what is not there. */
const ofArguments =
  /invalid (?:argument|param|input|type|value|format|date|id|name|path|url|enum|query)|validation (?:error|failed)|\b(?:must|should) (?:be|have|match|not be)\b|\bis required\b|required (?:propert|argument|param|field)|missing (?:required |argument|param|field|propert)|unrecognized key|unknown (?:argument|param|field|tool|id|name)|no such file|ENOENT|EISDIR|ENOTDIR|not found|does not exist|out of range|\b(?:400|404|422)\b/i

function textOfBlock(block: JsonObject): string {
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
