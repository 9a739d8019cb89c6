import type { BoundLaunch } from '../../trust/launches/bound-launch.ts'
import type { Card } from '../../domain/card.ts'
import { contains, realPath } from '../../domain/paths.ts'
import { fileOfRuntime } from '../../domain/runtime.ts'
import {
  type Allowance,
  type ChangedPermit,
  changedPermits,
  isOfFile,
  needsLaunch,
  permitOf,
} from './grants.ts'
import type { Launch } from '../ports.ts'

/** The word for everything that ships with Audition. */
const bundledPattern = 'bundled'

/**
 * What may be started. An entry is a permit for one launch; a permit that says all itself, letter for letter, such as an origin; the start of permits and
 * a `*` at the end, for whatever goes by such a name; or the word `bundled`: the servers and agents that ship with Audition, without the
 * models they may need.
 */
export type AllowList = {
  /** The permits of a launch that are not allowed, in order, each once; empty when it may start. */
  missing(card: Card, launch: Launch): readonly string[]
  /** What was allowed before of permits that are missing now: another launch, or a name alone. */
  changed(missing: readonly string[], launch: Launch): readonly ChangedPermit[]
}

/**
 * @param patterns - as the user's settings list them
 * @param catalog - absolute folder of the bundled catalog
 */
export function allowList(patterns: readonly Allowance[], catalog: string): AllowList {
  const allowsBundled = patterns.includes(bundledPattern)
  return {
    changed: (missing, launch) => changedPermits(missing, launch, patterns),
    missing(card, { permit, needs, binds = {} }) {
      const isOurs = allowsBundled && isBundled(card, catalog)
      const allowed = (one: string): boolean =>
        patterns.some((pattern) => isAllowedBy(pattern, one, binds[one])) ||
        (isOurs && (one === permit || isOfCatalog(one, catalog)))
      return [...new Set([permit, ...needs])].filter((one) => !allowed(one))
    },
  }
}

function isAllowedBy(entry: Allowance, permit: string, bound: BoundLaunch | undefined): boolean {
  if (typeof entry !== 'string') return entry.permit === permit && entry.digest === bound?.digest
  return (bound === undefined || !needsLaunch(entry)) && standsFor(entry, permit)
}

/**
 * What is wrong with a pattern, in words that say what to write; null when nothing is.
 *
 * @param kinds - words with which permits begin
 */
export function patternMistake(pattern: string, kinds: readonly string[]): string | null {
  if (pattern === bundledPattern) return null
  if (!kinds.some((kind) => pattern.startsWith(`${kind}:`) && /:\S/.test(pattern)))
    return `it starts with none of ${kinds.map((kind) => `${kind}:`).join(', ')}`
  if (isHalfHost(pattern))
    return 'other hosts begin so too; write the whole origin, for example a2a:https://host'
  return pattern.slice(0, -1).includes('*') && !pattern.startsWith('command:')
    ? 'a "*" stands at the end only'
    : null
}

/**
 * Whether the user named the host of a permit in so many words: the permit itself, or its whole origin with `*` after it. A pattern
 * that stands for any host names none.
 */
export const namesHost = (patterns: readonly Allowance[], permit: string): boolean =>
  patterns
    .map(permitOf)
    .some(
      (pattern) =>
        pattern === permit ||
        (!isOfFile(pattern) &&
          /^[a-z][\w-]*:https?:\/\/[^/*]+[:/]\*$/.test(pattern) &&
          standsFor(pattern, permit)),
    )

/** Whether a pattern stands for a permit: it is the same, or the start of it with a `*` at the end. */
export function standsFor(pattern: string, permit: string): boolean {
  if (pattern === permit) return true
  if (!pattern.endsWith('*') || isHalfHost(pattern)) return false
  return !leadsUp(permit) && permit.startsWith(pattern.slice(0, -1))
}

/** `a2a:https://agents.example*` would stand for `https://agents.example.evil` too. */
const isHalfHost = (pattern: string): boolean =>
  !isOfFile(pattern) && /[^:/]\*$/.test(pattern) && pattern.slice(0, -2).includes(':')

/** A path that leads up out of a folder has no prefix in common with what lies in it. */
const leadsUp = (permit: string): boolean => /(?:^|[/\\:\s=])\.\.(?:[/\\#\s]|$)/.test(permit)

/** Whether what is run is decided by a file of the catalog alone. A source of the user's may call itself anything. */
function isBundled({ runtime }: Card, catalog: string): boolean {
  const file = fileOfRuntime(runtime)
  return file !== undefined && isOurFile(file, catalog)
}

/** Whether a further permit is a server that a file of the catalog names. */
function isOfCatalog(permit: string, catalog: string): boolean {
  if (!permit.startsWith('mcp:') || leadsUp(permit)) return false
  return isOurFile(permit.slice('mcp:'.length).replace(/#[^#]*$/, ''), catalog)
}

/** What is started is what stands in the file that the path leads to, over links too. */
const isOurFile = (file: string, catalog: string): boolean =>
  contains({ folder: realPath(catalog), path: realPath(file) })
