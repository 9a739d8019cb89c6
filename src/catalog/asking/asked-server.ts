import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { projectFolderOf } from '../../hosts/project-folder.ts'
import { dependsOnFolder } from '../depends-on-folder.ts'
import { cardVersion } from '../identity.ts'
import type { HarvestError, McpServerEntry } from '../ports.ts'
import { launchFacts } from '../review/server-launch.ts'

/** How a live server was last asked for its tools, as the store remembers it. */
export type AskedServer = {
  /** {@link entryDigest} of the entry by which it was asked: what somebody agreed to. */
  readonly entry: string
  /** {@link programState} of that time. */
  readonly program?: string
  /** Since it failed; absent when it answered the last time. */
  readonly failed?: FailedServer
}

/** A server that could not be asked. */
export type FailedServer = {
  /** How often it failed since it last answered. */
  readonly times: number
  /** ISO 8601 time from which a run asks it again. */
  readonly again: string
  /** How long it was waited for: who allows more time is not kept waiting. */
  readonly timeoutMs?: number
  readonly message: string
  readonly remedy: string
  /** What it printed, secrets masked. */
  readonly output?: string
}

/**
 * What an entry of a configuration says of one server, to compare: its name, where it stands, and how it is started or reached. Of what
 * may be a secret a few bits count: enough to see that it was changed, too few to guess it by.
 */
export function entryDigest(entry: McpServerEntry): string {
  const facts = launchFacts(entry, dependsOnFolder(entry))
  const values = digestOf(entry.launch).slice(0, 4)
  return digestOf([cardVersion, entry.name, entry.config, facts, values])
}

/** What a live server answered, to compare. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)

/**
 * Size and time of the program that an entry starts, when that is a file: whoever works on a server of their own has it asked
 * again. Undefined where no word of the command line is a file.
 */
export function programState({ config, launch }: McpServerEntry): string | undefined {
  if (launch.transport !== 'stdio') return undefined
  const folder = launch.cwd ?? projectFolderOf(config)
  for (const word of launch.args) {
    if (word.startsWith('-') || !/[.\\/]/.test(word)) continue
    try {
      const found = statSync(resolve(folder, word))
      if (found.isFile()) return `${found.size} ${Math.round(found.mtimeMs)}`
    } catch {} // no file of that name, or of none at all
  }
  return undefined
}

/** How long a listing is taken as it is, in milliseconds. */
export const listingMs = 24 * 60 * 60 * 1000

const firstPauseMs = 5 * 60 * 1000
const longestPauseMs = listingMs

/** What is remembered of a failure: each in a row makes the pause longer. One that cost no start has none. */
export function failedServer(
  { message, remedy, output, wasAsked }: HarvestError,
  before: FailedServer | undefined,
  { now, timeoutMs }: { readonly now: Date; readonly timeoutMs?: number },
): FailedServer {
  const times = (before?.times ?? 0) + 1
  const pauseMs = wasAsked ? Math.min(firstPauseMs * 3 ** (times - 1), longestPauseMs) : 0
  return {
    times,
    again: new Date(now.getTime() + pauseMs).toISOString(),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    message,
    remedy,
    ...(output === undefined ? {} : { output }),
  }
}
