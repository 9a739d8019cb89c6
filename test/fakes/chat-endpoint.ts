import { createServer, type Server } from 'node:http'
import { onLoopback } from './on-loopback.ts'

/** What a request held: the texts by role, and the shape wanted. */
export type ChatRequest = {
  readonly system: string
  readonly user: string
  readonly shape: unknown
  readonly authorization: string | undefined
}

/** What it answers: a text, or an HTTP status. */
export type ChatReply = string | { readonly status: number; readonly body?: string }

/** A chat endpoint on loopback that answers as a function says, and keeps what it was sent. */
export async function chatEndpoint(reply: (request: ChatRequest, index: number) => ChatReply) {
  const sent: ChatRequest[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const read = readRequest(Buffer.concat(chunks).toString('utf8'), request.headers.authorization)
      sent.push(read)
      const replied = reply(read, sent.length - 1)
      response.setHeader('content-type', 'application/json')
      if (typeof replied === 'object') {
        response.writeHead(replied.status).end(replied.body ?? '{}')
        return
      }
      const choices = [{ index: 0, message: { role: 'assistant', content: replied }, finish_reason: 'stop' }]
      response.end(JSON.stringify({ id: '1', object: 'chat.completion', created: 0, model: 'm', choices }))
    })
  })
  const { origin, close } = await onLoopback(server)
  return {
    sent,
    settings: { spec: `openai-compatible:${origin}/v1#tiny`, key: 'sk-secret' },
    close,
  }
}

type Message = { readonly role: string; readonly content: string | readonly { readonly text?: string }[] }

function readRequest(body: string, authorization: string | undefined): ChatRequest {
  const { messages, response_format } = JSON.parse(body) as {
    messages: readonly Message[]
    response_format?: unknown
  }
  const textOf = (role: string) =>
    messages
      .filter((message) => message.role === role)
      .map(({ content }) =>
        typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(''),
      )
      .join('\n')
  return { system: textOf('system'), user: textOf('user'), shape: response_format, authorization }
}
