import {
  agreedLaunch,
  type BoundLaunch,
  type LaunchDifference,
  launchDifference,
} from '../../trust/launches/bound-launch.ts'
import type { AgreedLines } from '../../store/source-state.ts'
import { type Launch, RuntimeError } from '../ports.ts'
import type { Card } from '../../domain/card.ts'
import { contains, realPath } from '../../domain/paths.ts'
import { fileOfRuntime } from '../../domain/runtime.ts'

/** A permit that a person gave for one launch, and what that was: of another one under the same name it says nothing. */
export type Grant = {
  readonly permit: string
  /** The file that said the launch, and its name there. */
  readonly place: string
  /** The launch in words. */
  readonly launch: readonly string[]
  readonly digest: string
  /** Of the texts of the launch, to say where others differ. */
  readonly lines?: AgreedLines | undefined
} & GrantedSandbox

/** What holds a command that was allowed, where the settings choose nothing for all programs. */
export type GrantedSandbox = {
  readonly sandbox?: 'bubblewrap' | undefined
  /** Whether it reaches the network in there. */
  readonly network?: boolean | undefined
}

/** An entry of the `allow` list: a grant, or a pattern for whatever goes by a name. */
export type Allowance = string | Grant

/** The name that an entry of the list goes by. */
export const permitOf = (one: Allowance): string => (typeof one === 'string' ? one : one.permit)

/** Whether a permit stands for a program or an agent of a file, and so for one launch; any other names an origin. */
export const isOfFile = (permit: string): boolean =>
  /^(?:command|mcp|profile|subagent|skill):|^[a-z][\w-]*:(?:[\\/~.]|[A-Za-z]:[\\/])/.test(permit)

/** Whether a permit says nothing by its name alone, since it stands for a launch that a file decides. */
export const needsLaunch = (permit: string): boolean => isOfFile(permit) && !permit.endsWith('*')

/** What goes on the list when a person allows permits of a launch. */
export const grantsFor = (
  permits: readonly string[],
  { binds = {} }: Pick<Launch, 'binds'>,
): readonly Allowance[] =>
  permits.map((permit) => {
    const bound = binds[permit]
    if (bound === undefined) return permit
    const { words: launch, ...lines } = agreedLaunch(bound)
    return { permit, place: bound.place, launch, digest: bound.digest, ...lines }
  })

/** What was chosen for a permit. Where several launches go by it, one in a sandbox puts all in, and the network is open when all have it. */
export function sandboxOf(list: readonly Allowance[], permit: string): GrantedSandbox {
  const grants = list.filter((one): one is Grant => typeof one !== 'string' && one.permit === permit)
  const held = grants.filter(({ sandbox }) => sandbox !== undefined)
  const [first] = held
  return first === undefined
    ? {}
    : { sandbox: first.sandbox, network: held.every(({ network }) => network === true) }
}

/** The list with further entries. A launch that is allowed takes the place of what was allowed of the same place before. */
export function withGrants(list: readonly Allowance[], more: readonly Allowance[]): readonly Allowance[] {
  const isReplaced = (one: Allowance): boolean =>
    more.some((other) =>
      typeof other === 'string'
        ? other === one
        : other.permit === one || (typeof one !== 'string' && placeOf(one) === placeOf(other)),
    )
  return [...list.filter((one) => !isReplaced(one)), ...more]
}

/** A permit that a launch lacks although something by its name, or of its place, was allowed: why it is asked for again. */
export type ChangedPermit = LaunchDifference & {
  readonly permit: string
  /** `unbound`: it was allowed by its name alone, as older versions did. */
  readonly because: 'changed' | 'unbound'
}

/** What was allowed before of permits that a launch lacks now. */
function changedPermits(
  missing: readonly string[],
  { binds = {} }: Pick<Launch, 'binds'>,
  list: readonly Allowance[],
): readonly ChangedPermit[] {
  return missing.flatMap((permit): ChangedPermit[] => {
    const bound = binds[permit]
    if (bound === undefined) return []
    const before = list.findLast(
      (one) => typeof one !== 'string' && placeOf(one) === placeOf({ permit, ...bound }),
    )
    if (before !== undefined && typeof before !== 'string') {
      const { launch: words, lines } = before
      return [{ permit, because: 'changed', ...launchDifference({ words, lines }, bound) }]
    }
    return list.includes(permit) ? [{ permit, because: 'unbound', was: [permit], now: bound.words }] : []
  })
}

/**
 * Between the plan that was allowed and the start a file may have changed.
 *
 * @throws RuntimeError when what is about to be started is not what was allowed
 */
export function requireSameLaunch(
  allowed: Pick<Launch, 'permit' | 'needs' | 'binds'> | undefined,
  now: Pick<Launch, 'permit' | 'needs' | 'binds'>,
): void {
  if (allowed === undefined) return
  const permits = [now.permit, ...now.needs]
  const isSame = permits.every(
    (permit) =>
      [allowed.permit, ...allowed.needs].includes(permit) &&
      allowed.binds?.[permit]?.digest === now.binds?.[permit]?.digest,
  )
  if (isSame) return
  throw new RuntimeError(
    'What it starts changed in the moment between the question and the start.',
    'Run it again to see what it starts now.',
  )
}

const placeOf = ({ permit, place }: Pick<Grant, 'permit'> & Pick<BoundLaunch, 'place'>): string =>
  `${permit.slice(0, permit.indexOf(':'))} ${place}`

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
