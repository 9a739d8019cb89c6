import { displayOf } from '../../catalog/server-entries.ts'
import type { McpServerEntry } from '../../catalog/ports.ts'
import {
  type BoundLaunch,
  type LaunchPart,
  boundLaunch,
  digestOfText,
  headerParts,
  shortened,
  textInWords,
  textPart,
  variableParts,
} from './bound-launch.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'

/** What a command line leads to on this machine. */
type ResolvedLaunch = {
  /** The file that is started, links followed; undefined when there is none. */
  readonly program?: string
  /** The working folder, links followed. */
  readonly folder: string
  /** Arguments that are links, and where they lead. */
  readonly links: readonly (readonly [argument: string, target: string])[]
  /** Lines of the project's `package.json` that it runs by their names. */
  readonly lines?: readonly (readonly [name: string, line: string])[]
  /** Files of the project that the command line names, and what stands in them. */
  readonly scripts?: readonly (readonly [path: string, text: string])[]
  /** Files of the project that those load. */
  readonly loaded?: readonly (readonly [path: string, text: string])[]
}

/**
 * The launch of a server as its entry says it now.
 *
 * @param resolved - where its command line leads; without it only the entry's own words count
 * @param origin - of its address once variables are filled in
 */
export function boundServer(
  entry: McpServerEntry,
  { resolved, origin }: { readonly resolved?: ResolvedLaunch; readonly origin?: string } = {},
): BoundLaunch {
  const { name, config, launch } = entry
  const place = `${config}#${name}`
  if (launch.transport !== 'stdio') {
    const address = `${launch.transport} ${launch.url} ${origin ?? ''}`
    const shown = `${displayOf(launch)}${launch.transport === 'sse' ? ' (sse)' : ''}`
    return boundLaunch(place, [{ name: 'address', exact: address, shown }, ...headerParts(launch.headers)])
  }
  return boundLaunch(place, [
    ...commandParts(launch, resolved),
    ...folderParts(resolved?.folder ?? launch.cwd),
    ...variableParts(launch.env),
  ])
}

/** The program, its arguments as they are written, and what they lead to. */
export function commandParts(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  resolved: Omit<ResolvedLaunch, 'folder'> | undefined,
): readonly LaunchPart[] {
  const {
    program = 'nothing that can be started',
    links = [],
    lines = [],
    scripts = [],
    loaded = [],
  } = resolved ?? {}
  const shown = resolved === undefined || program === command ? command : `${program} (${command})`
  const line = displayOf({ transport: 'stdio', command: '', args, env: {} }).replace(/^"" ?/, '')
  return [
    { name: 'program', exact: JSON.stringify([command, resolved === undefined ? '' : program]), shown },
    ...(args.length === 0
      ? []
      : [{ name: 'arguments', exact: JSON.stringify(args), shown: shortened(line) }]),
    ...links.map(([argument, target]) => ({ name: `${argument} leads to`, exact: target })),
    ...lines.map(([name, line]) => ({ name, exact: line, shown: shortened(maskSecrets(line)) })),
    ...scripts.map(([path, text]) => textPart(`script ${path}`, text)),
    ...loadedParts(loaded),
  ]
}

/** Loaded files that are shown one by one; of further ones people see how many there are. */
const mostLoaded = 12

/** Of files that are loaded it is kept which they are and a digest of each, not their lines. */
function loadedParts(files: readonly (readonly [path: string, text: string])[]): readonly LaunchPart[] {
  const sorted = files.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const rest = sorted.slice(mostLoaded)
  const digest = digestOfText(rest.map(([path, text]) => `${path} ${digestOfText(text)}`).join('\n'))
  return [
    ...sorted.slice(0, mostLoaded).map(([path, text]) => ({
      name: `loads ${path}`,
      exact: digestOfText(text),
      shown: textInWords(text),
    })),
    ...(rest.length === 0
      ? []
      : [{ name: `loads ${rest.length} more files`, exact: digest, shown: `sha256 ${digest.slice(0, 12)}` }]),
  ]
}

export const folderParts = (folder: string | undefined): readonly LaunchPart[] =>
  folder === undefined ? [] : [{ name: 'folder', exact: folder }]
