import type { Artifact, Message, Part, Task } from '@a2a-js/sdk'
import type { JsonValue } from '../../domain/json.ts'
import type { Answer } from '../../probing/run/bounded-execution.ts'

/**
 * What an agent's parts say: texts as they are, data as JSON, files by their name and type.
 *
 * @returns `structured` is the data part, or the list of them when there are several
 */
export function answerOf(parts: readonly Part[]): Answer {
  const texts = parts.map(textOf).filter((text) => text !== '')
  const data = parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value as JsonValue] : []))
  const structured = data.length > 1 ? data : data[0]
  return { text: texts.join('\n'), ...(structured === undefined ? {} : { structured }) }
}

/** The text of a message; empty when there is none. */
export const messageText = (message: Message | undefined): string => answerOf(message?.parts ?? []).text

/** The parts that answer: artifacts, else what the last status said, else the agent's last message. */
export function partsOfTask({ artifacts, status, history }: Task, agentRole: number): readonly Part[] {
  const made = artifacts.flatMap(({ parts }) => parts)
  if (made.length > 0) return made
  const said = status?.message?.parts ?? []
  if (said.length > 0) return said
  return history.findLast(({ role }) => role === agentRole)?.parts ?? []
}

/** An artifact with a further piece of it. Texts are joined without a break, as they were cut. */
export function appended(artifact: Artifact, { parts }: Artifact): Artifact {
  const last = artifact.parts.at(-1)
  const [first, ...rest] = parts
  if (last?.content?.$case !== 'text' || first?.content?.$case !== 'text') {
    return { ...artifact, parts: [...artifact.parts, ...parts] }
  }
  const content = { $case: 'text', value: last.content.value + first.content.value } as const
  return { ...artifact, parts: [...artifact.parts.slice(0, -1), { ...last, content }, ...rest] }
}

function textOf({ content, filename, mediaType }: Part): string {
  switch (content?.$case) {
    case 'text':
      return content.value
    case 'data':
      return content.value === undefined ? '' : JSON.stringify(content.value)
    case 'url':
      return `[file ${filename || 'without a name'}${mediaType === '' ? '' : `, ${mediaType}`}: ${content.value}]`
    case 'raw':
      return `[file ${filename || 'without a name'}${mediaType === '' ? '' : `, ${mediaType}`}]`
    case undefined:
      return ''
  }
}
