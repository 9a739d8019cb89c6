import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { cut } from '../../domain/text/cut.ts'
import { displayOf } from '../../catalog/server-entries.ts'
import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'
import { BoundReached } from '../../domain/bounds.ts'
import { printable } from '../../domain/text/printable.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'
import { tellingLine } from '../../domain/text/telling-line.ts'
import { refusalIn } from '../http/reach.ts'
import { SandboxError } from '../processes/sandbox/sandbox.ts'
import { FloodError, RepeatedCursorError } from './list-tools.ts'
import type { GroupStdioTransport } from './stdio-transport.ts'

/** What is known about an attempt that failed. */
export type FailedAttempt = {
  readonly entry: McpServerEntry
  readonly step: 'connect' | 'list' | 'call'
  /** That it had; null where nobody measured them. */
  readonly seconds: number | null
  readonly knownValues: readonly string[]
  /** The process, when the server is one. */
  readonly process?: GroupStdioTransport
}

type Finding = { readonly what: string; readonly remedy: string }

/** Characters of a server's own error text that are repeated. */
const mostQuoted = 300

/** Puts a failure into words: what went wrong, what the process printed, what to do; secrets masked. */
export function harvestFailure(error: unknown, attempt: FailedAttempt): HarvestError {
  if (error instanceof HarvestError) return error
  const { what, remedy } = finding(error, attempt)
  const isTooMuch = error instanceof FloodError || (error instanceof BoundReached && error.bound !== 'time')
  const cause = isTooMuch || error instanceof SandboxError ? error : refusalIn(error)
  const { entry } = attempt
  const output = outputOf(attempt)
  // What a server that lives on printed may be of any of its calls.
  const isBeside = attempt.step === 'call' && attempt.process?.end === undefined
  const said = isBeside ? '' : quoted(tellingLine(output), [])
  const before = attempt.process?.end === undefined ? '; it printed: ' : ': '
  return new HarvestError(
    `MCP server "${entry.name}": ${what}${said === '' ? '' : `${before}${said}`}`,
    `${remedy}, or disable the entry "${entry.name}" in ${entry.config}.`,
    {
      wasAsked: isTooMuch || (cause === undefined && !isNotStarted(error, attempt)),
      ...(output === '' ? {} : { output }),
      ...(cause === undefined ? {} : { cause }), // any other may hold a secret
    },
  )
}

function finding(error: unknown, attempt: FailedAttempt): Finding {
  const quote = (text: string) => quoted(text, attempt.knownValues)
  if (error instanceof BoundReached && error.bound === 'time') return ranOutOfTime(attempt)
  if (error instanceof FloodError || error instanceof BoundReached)
    return { what: quote(error.message), remedy: 'Check that it is an MCP server' }
  if (error instanceof RepeatedCursorError) return { what: error.message, remedy: 'Tell its makers' }
  const refusal = error instanceof SandboxError ? error : refusalIn(error)
  if (refusal !== undefined)
    return { what: quote(refusal.message), remedy: refusal.remedy.replace(/\.$/, '') }
  if (attempt.process?.end !== undefined) return ended(attempt.process.end, attempt)
  const code = systemCode(error)
  if (code !== undefined && isNotStarted(error, attempt)) return notStarted(code, attempt.entry)
  const status = statusOf(error)
  if (status !== undefined) return refused(status, error, quote)
  if (error instanceof ProtocolError) {
    const asked = { connect: 'the handshake', list: 'tools/list', call: 'tools/call' }[attempt.step]
    const what = `it answered ${asked} with error ${error.code}: ${quote(error.message)}`
    return { what, remedy: 'Check its settings and its version' }
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult) {
    return { what: 'its answer is not what the protocol asks for', remedy: 'Check that it is an MCP server' }
  }
  if (code !== undefined) return unreachable(code, attempt.entry)
  return {
    what: `it does not speak MCP as expected: ${quote(messageOf(error))}`,
    remedy: 'Check that it is an MCP server',
  }
}

/** The system refused to start the program. */
const isNotStarted = (error: unknown, { process }: FailedAttempt): boolean =>
  process !== undefined && process.end === undefined && systemCode(error) !== undefined

const downloaders = /(?:^|[\\/])(npx|uvx|bunx|pnpm|yarn|pipx|docker|podman|uv|deno)(?:\.cmd|\.exe)?$/i

function ranOutOfTime({ entry, step, seconds }: FailedAttempt): Finding {
  const doing = step === 'list' ? 'it did not list its tools' : 'it did not answer'
  const { launch } = entry
  const downloads = launch.transport === 'stdio' && downloaders.test(launch.command)
  const byHand =
    launch.transport === 'stdio'
      ? `Start \`${displayOf(launch)}\` by hand once to see`
      : `Check ${displayOf(launch)}`
  const reason = downloads ? ' (the first start downloads it)' : ''
  return { what: `${doing} within ${seconds} s`, remedy: `${byHand}${reason}, allow it more time` }
}

function ended(end: NonNullable<GroupStdioTransport['end']>, { step }: FailedAttempt): Finding {
  const how = end.signal === null ? `exited with code ${end.code}` : `was ended by ${end.signal}`
  const when = step === 'list' ? 'before it listed its tools' : 'before it answered'
  return { what: `the process ${how} ${when}`, remedy: 'Mend what it reports' }
}

/** Who to get a missing command from. */
const origins: { readonly [command: string]: string } = {
  uvx: 'uv (https://docs.astral.sh/uv)',
  uv: 'uv (https://docs.astral.sh/uv)',
  npx: 'Node.js (https://nodejs.org)',
  node: 'Node.js (https://nodejs.org)',
  docker: 'Docker (https://docs.docker.com/get-docker)',
  bunx: 'Bun (https://bun.sh)',
  bun: 'Bun (https://bun.sh)',
  deno: 'Deno (https://deno.com)',
}

function notStarted(code: string, { launch }: McpServerEntry): Finding {
  const command = launch.transport === 'stdio' ? maskSecrets(launch.command) : ''
  if (code === 'ENOENT') {
    const origin = origins[command]
    return {
      what: `command "${command}" not found`,
      remedy: origin === undefined ? 'Install it' : `Install ${origin}`,
    }
  }
  if (code === 'EACCES') {
    return { what: `command "${command}" may not be executed`, remedy: 'Make it executable' }
  }
  return { what: `command "${command}" cannot be started (${code})`, remedy: 'Check the command' }
}

function refused(status: number, error: unknown, quote: (text: string) => string): Finding {
  if (status === 401 || status === 403) {
    const header = `"headers": {"Authorization": "Bearer \${TOKEN}"}`
    const remedy = `Give the entry a token, for example ${header} (Audition cannot log in through a browser)`
    return { what: `it asks for authorisation (HTTP ${status})`, remedy }
  }
  if (status === 404 || status === 405) {
    return {
      what: `there is no MCP server at its URL (HTTP ${status})`,
      remedy: 'Check the URL and the "type"',
    }
  }
  const detail = error instanceof Error ? `: ${quote(error.message)}` : ''
  const remedy = status >= 500 || status === 429 ? 'Try again later' : 'Check the URL and the headers'
  return { what: `it refused with HTTP ${status}${detail}`, remedy }
}

function unreachable(code: string, { launch }: McpServerEntry): Finding {
  const address = displayOf(launch)
  const isTls = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)
  const remedy = isTls ? 'Check its certificate' : 'Check the URL, and that the server runs'
  return { what: `${address} cannot be reached (${code})`, remedy }
}

/** `fetch failed` says why in its cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** HTTP status of a refusal, whichever transport met it. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status
  if (error instanceof UnauthorizedError) return 401
  if (error instanceof SseError) return error.code
  return undefined
}

/** `ENOENT` and its like, of the error or of what caused it: `fetch failed` tells it in its cause. */
function systemCode(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || error instanceof SdkError || depth > 4) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return systemCode(error.cause, depth + 1) ?? code
}

const quoted = (text: string, knownValues: readonly string[]): string => {
  const masked = maskSecrets(printable(text), knownValues).replace(/\s+/g, ' ').trim()
  return cut(masked, mostQuoted)
}

/** What a process printed last: on stderr, and on stdout where only messages of the protocol belong. */
function outputOf({ process, knownValues }: FailedAttempt): string {
  if (process === undefined) return ''
  const stray = process.stray.masked(knownValues)
  const onStdout = stray === '' ? '' : `On stdout, where only MCP messages belong: ${quoted(stray, [])}`
  return [onStdout, process.stderr.masked(knownValues)].filter((part) => part !== '').join('\n')
}
