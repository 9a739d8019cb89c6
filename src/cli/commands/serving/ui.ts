import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { hostNames } from '../../../hosts/hosts.ts'
import { choice, defineCommand, unless, whole } from '../../command.ts'
import { type Context, hostUser } from '../../context.ts'
import { exitCodes } from '../../errors.ts'
import { watches } from './serve.ts'
import { aborted } from '../../../domain/bounds.ts'

const options = {
  port: whole('--port <port>', 'port to listen on (default: any free one)', [0, 65535]),
  open: unless('--no-open', 'print the address, and open no browser'),
  for: choice('--for <host>', 'the host whose exact calls are shown at first', hostNames),
  watch: unless('--no-watch', 'do not look after the index: take in no changed files, ask no server again'),
}

/** `audition ui`. */
export const command = defineCommand({
  description: [
    'Opens the page of Audition in your browser: search, cards and their records, composing and auditioning agents, held',
    'cards, permits, evaluations. It is served on this machine alone, and to whoever has the address that is printed, which',
    'works once; another one is printed then. What the page does, other commands do as well. Ctrl-C ends it.',
  ].join(' '),
  options,
  examples: [
    { line: 'audition ui', does: 'opens the page' },
    { line: 'audition ui --port 8080 --no-open', does: 'prints the address' },
  ],
  async run({ flags }, context) {
    const [{ serveHttp }, audition] = await Promise.all([
      import('../../../server/serve-http.ts'),
      context.audition(),
    ])
    const token = secret()
    let ticket = secret()
    let port = 0
    const address = () => `http://127.0.0.1:${port}/#ticket=${ticket}`
    const serving = await serveHttp(audition, {
      port: flags.port ?? 0,
      token,
      watches: watches(flags, context),
      surrounded: {
        user: hostUser(context),
        cwd: context.terminal.cwd,
        ...(flags.for === undefined ? {} : { hostName: flags.for }),
      },
      page: {
        role: 'owner',
        enter(given) {
          if (given !== ticket) return null
          ticket = secret()
          context.log(`The page is open. For another browser: ${address()}`)
          return token
        },
      },
    })
    port = serving.port
    context.print(address())
    context.log('Ctrl-C ends it.')
    if (flags.open) openBrowser(address(), context)
    await aborted(context.signal)
    context.log('Stopping.')
    await serving.close()
    return exitCodes.done
  },
})

const secret = (): string => randomBytes(32).toString('base64url')

/** What opens an address on each platform. Where it is not there, the printed address has to do. */
function openBrowser(address: string, { terminal: { platform } }: Context): void {
  const [program, ...args] =
    platform === 'darwin'
      ? ['open', address]
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', address]
        : ['xdg-open', address]
  spawn(program!, args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
}
