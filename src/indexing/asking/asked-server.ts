import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AskedServer, FailedServer } from '../../store/source-state.ts'
import { projectFolderOf } from '../../hosts/project-folder.ts'
import { cardVersion } from '../../catalog/identity.ts'
import type { HarvestError, McpServerEntry } from '../../catalog/ports.ts'
import {
  agreedLaunch,
  type BoundLaunch,
  type LaunchDifference,
  launchDifference,
} from '../../trust/launches/bound-launch.ts'

/** How a server is asked now. */
export function askedNow(entry: McpServerEntry, bound: BoundLaunch): AskedServer {
  const program = programState(entry)
  return {
    entry: bound.digest,
    launch: { place: bound.place, ...agreedLaunch(bound) },
    values: valuesOf(entry),
    cards: cardVersion,
    ...(program === undefined ? {} : { program }),
  }
}

/** What is not the same in the launch of a server since somebody agreed to it; undefined when all is, and when nobody did. */
export function launchChange(asked: AskedServer | undefined, now: BoundLaunch): LaunchDifference | undefined {
  if (asked === undefined || asked.entry === now.digest) return undefined
  const { launch } = asked
  if (launch === undefined)
    return { was: ['agreed to under an older Audition, which bound less of it'], now: now.words }
  if (launch.place === now.place) return launchDifference(launch, now)
  const inWords = ({ place, words }: Pick<BoundLaunch, 'place' | 'words'>): readonly string[] => [
    `configured in: ${place}`,
    ...words,
  ]
  return launchDifference({ ...launch, words: inWords(launch) }, { ...now, words: inWords(now) })
}

/**
 * A few bits of what an entry writes, its secrets too: enough to see that a token was rotated and that the server may answer otherwise,
 * too few to guess it by.
 */
export const valuesOf = ({ launch }: McpServerEntry): string => digestOf(launch).slice(0, 4)

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
