// Command agents that behave in one way or another: `node agent.mjs <behaviour> <mark> [argument]`.
// The mark stands in the command line of every process that is started, so that those left over can be counted.
import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [behaviour, mark, argument] = process.argv.slice(2)
const self = fileURLToPath(import.meta.url)

const forEver = () => setInterval(() => {}, 1_000)
const ignoreSignals = () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
}
const start = (what, options) => spawn(process.execPath, [self, what, mark, argument ?? ''], options)
const input = async () => {
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  return JSON.parse(text)
}
/** Writes as fast as the reader takes it; `bytes` may be Infinity. */
const pour = (stream, bytes, done = () => {}) => {
  const block = 'all work and no play makes an agent dull\n'.repeat(1_600)
  stream.on('error', () => process.exit(1))
  let left = bytes
  const more = () => {
    while (left > 0) {
      left -= block.length
      if (!stream.write(block)) return stream.once('drain', more)
    }
    done()
  }
  more()
}

const behaviours = {
  // -- fine
  echo: async () => console.log(`You said: ${(await input()).task}`),
  input: async () => process.stdout.write(JSON.stringify(await input())),
  print: () => process.stdout.write(argument),
  structured: async () => {
    const { task, arguments: given } = await input()
    console.log(JSON.stringify({ answer: `Done: ${task}`, structured: { given: given ?? null } }))
  },
  environment: () => console.log(Object.keys(process.env).sort().join(' ')),
  whereabouts: () => console.log(process.cwd()),
  // -- tell a secret that they were given
  'tell-secret': () => {
    console.error(`logged in with ${process.env.API_TOKEN}`)
    const answer = `my key is ${process.env.API_TOKEN}`
    console.log(JSON.stringify({ answer, structured: { [process.env.API_TOKEN]: [process.env.API_TOKEN] } }))
  },
  'fail-with-secret': () => {
    console.error(`cannot log in with ${process.env.API_TOKEN}`)
    console.log(`my key is ${process.env.API_TOKEN}`)
    process.exitCode = 7
  },
  // -- do not end
  hang: forEver,
  'ignore-sigterm': () => {
    ignoreSignals()
    forEver()
  },
  'answer-and-stay': () => {
    console.log('done, but I stay')
    ignoreSignals()
    forEver()
  },
  drip: () => setInterval(() => process.stdout.write('.'), 50),
  spin: () => {
    const until = Date.now() + 60_000
    while (Date.now() < until);
  },
  // -- end badly
  crash: () => {
    throw new Error('out of luck')
  },
  'exit-3': () => process.exit(3),
  'kill-itself': () => process.kill(process.pid, 'SIGKILL'),
  nothing: () => {},
  blank: () => console.log(' \n\t\n'),
  // -- print too much, or what is no text
  'flood-stdout': () => pour(process.stdout, Number(argument || 100 * 1024 * 1024)),
  'flood-stderr': () => pour(process.stderr, Number(argument || 100 * 1024 * 1024)),
  'flood-for-ever': () => {
    ignoreSignals()
    pour(process.stdout, Number.POSITIVE_INFINITY)
  },
  binary: () =>
    process.stdout.write(Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 167) % 256))),
  'invalid-utf8': () =>
    process.stdout.write(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20, ...Buffer.from('with one bad byte')])),
  'no-utf8': () => process.stdout.write(Buffer.alloc(1_000, 0xe9)),
  // -- are rude to their pipes
  'close-stdin': () => {
    closeSync(0)
    setTimeout(() => console.log('I never listen'), 50)
  },
  'close-all': () => {
    for (const descriptor of [0, 1, 2]) closeSync(descriptor)
    forEver()
  },
  // -- leave others behind
  'hold-stdout': () => {
    start('stay', { stdio: 'inherit' }).on('spawn', () => {
      console.log('my child holds your pipe')
      setTimeout(() => process.exit(0), 20)
    })
  },
  daemon: () => {
    start('stay', { stdio: 'ignore' }).on('spawn', () => {
      console.log('a daemon stays in my group')
      setTimeout(() => process.exit(0), 20)
    })
  },
  'own-session': () => {
    start('stay', { stdio: 'ignore', detached: true }).on('spawn', () => {
      console.log('a daemon has a session of its own')
      setTimeout(() => process.exit(0), 20)
    })
  },
  family: () => {
    for (let child = 0; child < 6; child += 1) start('stay', { stdio: 'inherit' })
    ignoreSignals()
    forEver()
  },
  stay: () => {
    ignoreSignals()
    forEver()
  },
}

await behaviours[behaviour]()
