// Programs that harm: `node hostile.mjs <behaviour> <mark> <places as JSON>`. The mark stands in every command line, so that what is
// left over can be counted. What a program got hold of, it prints.
import { spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

const [behaviour, mark, json] = process.argv.slice(2)
const places = JSON.parse(json)
const self = fileURLToPath(import.meta.url)

const say = (text) => console.log(text)
const forEver = () => setInterval(() => {}, 1_000)
const again = (what, options = {}) =>
  spawn(process.execPath, [self, what, mark, json], { stdio: 'ignore', ...options })
const shell = (script) => spawn('sh', ['-c', `: ${mark}; ${script}`], { stdio: 'ignore' })
const attempt = (work) => {
  try {
    return work()
  } catch (error) {
    return error.code ?? String(error)
  }
}
const hog = (bytes) => {
  const held = []
  for (let at = 0; at < bytes; at += 8e6) held.push(Buffer.alloc(8e6, 1))
  return held
}
const pour = (stream) => {
  const block = `${'all work and no play '.repeat(3_000)}\n`
  stream.on('error', () => process.exit(1))
  const more = () => {
    while (stream.write(block));
    stream.once('drain', more)
  }
  more()
}
const dial = (target) =>
  new Promise((resolve) => {
    const socket = connect(target)
    socket.on('connect', () => resolve('reached'))
    socket.on('error', (error) => resolve(error.code))
  })

const behaviours = {
  // -- use all there is
  'fork bomb': () => {
    shell('b() { sleep 0.05; b & b & wait; }; b')
    forEver()
  },
  'processes one after another': () => {
    shell('while :; do sleep 300 & done')
    forEver()
  },
  'memory hog': () => {
    const held = hog(4e9)
    setTimeout(() => say(held.length), 60_000)
  },
  hog: () => {
    const held = hog(1.2e8)
    setTimeout(() => held.length, 60_000)
  },
  'family of memory hogs': () => {
    for (let child = 0; child < 6; child++) again('hog')
    forEver()
  },
  'CPU spinner': () => {
    for (;;);
  },
  spin: () => {
    for (;;);
  },
  'family of CPU spinners': () => {
    for (let child = 0; child < 3; child++) again('spin')
    forEver()
  },
  'one large file': () => {
    const file = fs.openSync('large', 'w')
    let written = 0
    const end = attempt(() => {
      for (;;) written += fs.writeSync(file, Buffer.alloc(1e6))
    })
    say(`${end} after ${written}`)
  },
  'many files': () => {
    for (let at = 0; at < 4_000; at++) fs.writeFileSync(`file-${at}`, Buffer.alloc(1e6))
    forEver()
  },
  'open files': () => {
    const open = []
    const end = attempt(() => {
      for (;;) open.push(fs.openSync('/dev/null', 'r'))
    })
    say(`${end} after ${open.length}`)
  },
  'flood on stdout': () => pour(process.stdout),
  'flood on stderr': () => pour(process.stderr),
  // -- do not go
  'ignores signals': () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGXCPU']) process.on(signal, () => {})
    forEver()
  },
  'stops itself': () => process.kill(process.pid, 'SIGSTOP'),
  daemon: () => {
    again('ignores signals', { detached: true }).unref()
    setTimeout(() => say('done'), 300)
  },
  'daemon, forked twice': () => {
    shell(`(setsid sh -c ': ${mark}; (sleep 300; :) & sleep 300; :' &) ; :`)
    setTimeout(() => say('done'), 300)
  },
  'daemon without environment': () => {
    shell(`(env -i setsid /bin/sh -c ': ${mark}; /bin/sleep 300; :' &) ; :`)
    setTimeout(() => say('done'), 300)
  },
  // -- trouble for who cleans up
  'deletes its folder': () => {
    fs.rmSync(process.cwd(), { recursive: true, force: true })
    say('done')
  },
  'link out of its folder': () => {
    fs.symlinkSync(places.victim, 'link')
    say('done')
  },
  'closed folder': () => {
    fs.mkdirSync('closed/deeper', { recursive: true })
    fs.writeFileSync('closed/deeper/file', 'x')
    fs.chmodSync('closed/deeper', 0)
    fs.chmodSync('closed', 0)
    say('done')
  },
  // -- look and reach where they should not
  'reads its environment': () => say(JSON.stringify(process.env)),
  'reads the environment of others': () =>
    say(attempt(() => fs.readFileSync(`/proc/${places.bystander}/environ`, 'latin1'))),
  'reads keys': () =>
    say(places.secrets.map((file) => attempt(() => fs.readFileSync(file, 'utf8'))).join('\n')),
  'finds secrets': () =>
    say(
      spawnSync('grep', ['-rs', places.needle, places.home, places.store], {
        encoding: 'utf8',
        timeout: 3_000,
      }).stdout,
    ),
  'connects to this machine': async () => say(await dial({ port: places.port, host: '127.0.0.1' })),
  'connects to a socket file': async () => say(await dial({ path: places.socket })),
  'writes into the home folder': () => say(attempt(() => fs.writeFileSync(`${places.home}/.bashrc`, 'evil'))),
  'writes into the store': () => say(attempt(() => fs.writeFileSync(`${places.store}/evil`, 'evil'))),
  'writes into temporary files': () => say(attempt(() => fs.writeFileSync(`${places.shared}/evil`, 'evil'))),
  'kills others': () => say(attempt(() => process.kill(places.bystander, 'SIGTERM'))),
}

await behaviours[behaviour]()
