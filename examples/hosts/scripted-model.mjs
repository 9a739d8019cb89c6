// A model of this machine that says what a script tells it, over HTTP: so that the programs run without a key. A program that is given
// a real model works the same.
import { createServer } from 'node:http'

/**
 * @param replies - what it answers to the first request, the second and so on: an object, or a function of the request's body
 * @returns the address, the bodies that it was sent, and `close`
 */
export async function scriptedModel(replies) {
  const bodies = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString() || 'null')
    const reply = replies[bodies.push(body) - 1] ?? replies.at(-1)
    const said = typeof reply === 'function' ? reply(body) : reply
    const isStream = Array.isArray(said)
    outgoing.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    outgoing.end(isStream ? said.map(eventOf).join('') : JSON.stringify(said))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}`
  return { url, bodies, close: () => server.close() }
}

const eventOf = (event) =>
  `${event.type === undefined ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`

let answers = 0

/** An answer of the chat completions API: a call of one tool, or a text. */
export function chatReply(said) {
  const isCall = typeof said !== 'string'
  const call = isCall && {
    ...{ id: `call_${said.name}`, type: 'function' },
    function: { name: said.name, arguments: JSON.stringify(said.input) },
  }
  const message = { role: 'assistant', content: isCall ? null : said, ...(isCall && { tool_calls: [call] }) }
  return {
    ...{ id: `chat_${answers++}`, object: 'chat.completion', created: 0, model: 'scripted' },
    choices: [{ index: 0, message, finish_reason: isCall ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}

/** An answer of OpenAI's Responses API. */
export const responsesReply = (...output) => ({
  ...{
    id: `resp_${answers++}`,
    object: 'response',
    created_at: 0,
    model: 'scripted',
    status: 'completed',
    output,
  },
  ...{
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    tools: [],
    tool_choice: 'auto',
  },
  ...{ parallel_tool_calls: true, temperature: 1, top_p: 1 },
  usage: {
    ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  },
})

export const responsesText = (text) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text, annotations: [] }],
})

/** An answer of Claude's Messages API. */
export function claudeReply(said) {
  const isCall = typeof said !== 'string'
  return {
    ...{ id: `msg_${answers++}`, type: 'message', role: 'assistant', model: 'scripted', stop_sequence: null },
    stop_reason: isCall ? 'tool_use' : 'end_turn',
    content: [
      isCall ? { type: 'tool_use', id: `toolu_${said.name}`, ...said } : { type: 'text', text: said },
    ],
    usage: { input_tokens: 1, output_tokens: 1 },
  }
}

/** The same answer as the events of a stream. */
export function claudeStream({ content: [block], stop_reason, usage, ...message }) {
  const isText = block.type === 'text'
  const delta = isText
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    {
      type: 'content_block_start',
      index: 0,
      content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
    },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
}

/** What a model says to the responses API that looks for a tool of the calendar, calls it with `input`, and is done. */
export const calendarReplies = (input) => [
  responsesReply({
    ...{ type: 'tool_search_call', id: 'ts_1', call_id: 'call_1', execution: 'client', status: 'completed' },
    arguments: { query: 'put an appointment into the calendar' },
  }),
  responsesReply({
    ...{ type: 'function_call', id: 'fc_1', call_id: 'call_2', name: 'create_event', status: 'completed' },
    arguments: JSON.stringify(input),
  }),
  responsesReply(responsesText('Lunch with Ada is in your calendar.')),
]
