// MCP servers that behave in one way or another when their tool `work` is called: `node server.mjs <behaviour> <mark>`.
// The mark stands in the command line of every process that is started, so that those left over can be counted.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const [behaviour, mark] = process.argv.slice(2)
const self = fileURLToPath(import.meta.url)

const forEver = () => setInterval(() => {}, 1_000)
const ignoreSignals = () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
}
const stayBehind = (options) => spawn(process.execPath, [self, 'stay', mark], options)
const line = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
const write = (message) => process.stdout.write(line(message))
const says = (text) => ({ content: [{ type: 'text', text }] })
const pour = (stream, bytes, text = 'all work and no play makes a server dull\n') => {
  const block = text.repeat(1_600)
  stream.on('error', () => process.exit(1))
  let left = bytes
  const more = () => {
    while (left > 0) {
      left -= block.length
      if (!stream.write(block)) return stream.once('drain', more)
    }
  }
  more()
}

const inputSchema = {
  type: 'object',
  properties: { text: { type: 'string' }, times: { type: 'integer', minimum: 1 } },
  required: ['text'],
  additionalProperties: false,
}
const work = { name: 'work', description: 'Works on a text', inputSchema }

/** Serves the tool; `answers` may replace the answer to any method. */
const serve = (call, answers = {}) => {
  const methods = {
    initialize: ({ id, params }) =>
      write({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'subject', version: '0.0.1' },
        },
      }),
    'tools/list': ({ id }) => write({ id, result: { tools: [work] } }),
    'tools/call': call,
    ...answers,
  }
  createInterface({ input: process.stdin }).on('line', (text) => {
    const request = JSON.parse(text)
    methods[request.method ?? 'reply']?.(request)
  })
}
const serveResult = (resultOf) =>
  serve(({ id, params }) => write({ id, result: resultOf(params.arguments, params) }))

const behaviours = {
  // -- fine
  echo: () => serveResult(({ text, times = 1 }) => says(`Worked on: ${Array(times).fill(text).join(' ')}`)),
  structured: () => serveResult((given) => ({ content: [], structuredContent: { given } })),
  blocks: () =>
    serveResult(() => ({
      content: [
        { type: 'text', text: 'one' },
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'resource', resource: { uri: 'file:///a.txt', text: 'two' } },
        { type: 'resource_link', uri: 'file:///b.txt', name: 'b' },
        'no block',
      ],
    })),
  // The answer waits until the client has said that it is there, and so has read what came before.
  progress: () => {
    let call
    serve(
      ({ id, params }) => {
        call = id
        const { progressToken } = params._meta
        const method = 'notifications/progress'
        for (const progress of [1, 2])
          write({ method, params: { progressToken, progress, total: 2, message: 'going' } })
        write({ id: 'there?', method: 'ping' })
      },
      { reply: () => write({ id: call, result: says('gone') }) },
    )
  },
  // -- tell a secret that they were given
  'tell-secret': () => {
    console.error(`logged in with ${process.env.API_TOKEN}`)
    serveResult(() => ({
      ...says(`my key is ${process.env.API_TOKEN}`),
      structuredContent: { [process.env.API_TOKEN]: [process.env.API_TOKEN] },
    }))
  },
  'fail-with-secret': () => {
    console.error(`cannot log in with ${process.env.API_TOKEN}`)
    serveResult(() => ({ ...says(`no rights with ${process.env.API_TOKEN}`), isError: true }))
  },
  // -- fail
  error: () => serveResult(() => ({ ...says('I could not do it'), isError: true })),
  refusal: () => serve(({ id }) => write({ id, error: { code: -32_603, message: 'out of order' } })),
  crash: () =>
    serve(() => {
      throw new Error('out of luck')
    }),
  'crash-at-start': () => {
    throw new Error('out of luck')
  },
  exit: () => process.exit(0),
  'other-tool': () =>
    serve(() => {}, {
      'tools/list': ({ id }) => write({ id, result: { tools: [{ ...work, name: 'play' }] } }),
    }),
  nonsense: () => serveResult(() => ({ content: 'no list' })),
  // -- do not end
  'never-shake': () => serve(() => {}, { initialize: () => {} }),
  'never-list': () => serve(() => {}, { 'tools/list': () => {} }),
  'never-answer': () => serve(() => {}),
  late: () => serve(({ id }) => setTimeout(() => write({ id, result: says('at last') }), 60_000)),
  'wrong-id': () => serve(({ id }) => write({ id: `${id}-other`, result: says('for somebody else') })),
  'progress-for-ever': () =>
    serve(({ params }) => {
      const progressToken = params._meta?.progressToken
      let progress = 0
      setInterval(
        () => write({ method: 'notifications/progress', params: { progressToken, progress: ++progress } }),
        20,
      )
    }),
  stubborn: () => {
    ignoreSignals()
    forEver()
    stayBehind({ stdio: 'inherit' })
    serve(() => {})
  },
  // -- send too much, or what is no message
  flood: () =>
    serve(({ id }) => {
      process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`)
      pour(process.stdout, Number.POSITIVE_INFINITY, 'an answer that goes on and on and on in one line ')
    }),
  'flood-stdout': () => pour(process.stdout, 100 * 1024 * 1024),
  'flood-stderr': () => {
    pour(process.stderr, 100 * 1024 * 1024)
    serveResult(({ text }) => says(`Worked on: ${text}`))
  },
  garbage: () => process.stdin.on('data', () => console.log('unknown command; type "help" for help')),
  'garbage-answer': () => serve(() => process.stdout.write('{"jsonrpc":"2.0","id":\u0007\n{]}\n')),
  'invalid-utf8': () =>
    serve(({ id }) => {
      const [before, after] = line({ id, result: says('caf@') }).split('@')
      process.stdout.write(Buffer.concat([Buffer.from(before), Buffer.from([0xe9]), Buffer.from(after)]))
    }),
  binary: () =>
    process.stdout.write(Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 167) % 256))),
  twice: () =>
    serve(({ id }) => {
      for (const text of ['first', 'second']) write({ id, result: says(text) })
    }),
  'close-stdin': () => {
    process.stdin.destroy()
    forEver()
  },
  // -- leave others behind
  daemon: () => {
    stayBehind({ stdio: 'ignore' })
    serveResult(({ text }) => says(`Worked on: ${text}`))
  },
  'own-session': () => {
    stayBehind({ stdio: 'ignore', detached: true })
    serveResult(({ text }) => says(`Worked on: ${text}`))
  },
  stay: () => {
    ignoreSignals()
    forEver()
  },
}

behaviours[behaviour]()
