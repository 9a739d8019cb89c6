import { afterEach } from 'vitest'
import { type ChatReply, type ChatRequest, chatEndpoint } from './chat-endpoint.ts'

/** Chat endpoints of one file of tests: what a test opened is closed after it. */
export function openedChats() {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })
  return async (reply: (request: ChatRequest, index: number) => ChatReply) => {
    const endpoint = await chatEndpoint(reply)
    closing.push(endpoint.close)
    return endpoint
  }
}

/** These replies in turn, the last one for ever. */
export const inTurn =
  (replies: readonly ChatReply[]) =>
  (_: ChatRequest, index: number): ChatReply =>
    replies[Math.min(index, replies.length - 1)]!
