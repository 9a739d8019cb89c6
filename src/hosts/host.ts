import type { JsonObject } from '../domain/json.ts'
import type { Dialect } from './entry.ts'
import { joinOf, type HostUser, type Surroundings } from './surroundings.ts'
import type { Problem } from '../domain/problem.ts'

/** Whose configuration it is: of the project alone, or of the user everywhere. */
export type Scope = 'project' | 'user'

/** A configuration that a host reads. */
export type HostFile = {
  readonly scope: Scope
  /** Absolute paths where it may lie; those of a project for the folder `cwd`. At least one. */
  readonly at: (place: Surroundings) => readonly string[]
  /** The same places in the folder of a project. */
  readonly ways?: readonly (readonly string[])[]
  /** `settings` hold much else: such a file counts when it names a server. `plugins` are listed with their folders. */
  readonly holds: 'servers' | 'settings' | 'plugins'
}

/** A folder of agents, skills or commands that a host reads. */
export type HostFolder = {
  readonly scope: Scope
  readonly at: (place: Surroundings) => string
  /** What lies in it, for people: "Claude Code skills". */
  readonly what: string
  /** What `audition hire` may write there. */
  readonly takes?: 'subagent' | 'skill'
}

/** How a host starts Audition. */
export type HostLaunch = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
}

/** How Audition is put into a host's configuration. */
type Writing = {
  /** Where the map of servers is, outermost name first; `config` is what the file holds already. */
  readonly key: (config: JsonObject) => readonly string[]
  readonly entry: (launch: HostLaunch) => JsonObject
  /** Its word for streamable HTTP in `type`; absent where it takes an address without one. */
  readonly remoteType?: string
  /** How an entry names an environment variable; absent where the host fills in none, or it is not known how. */
  readonly variable?: (name: string) => string
  /** Its key of an address. @defaultValue 'url' */
  readonly addressKey?: string
  /** The scope that is written when nobody says another. */
  readonly usual: Scope
  /** Where a person pastes the block: this host has no file that others may write. */
  readonly paste?: string
}

/** What is known of a host: all that finds, reads and writes its configurations goes by this. */
export type Host = {
  /** As `audition init` takes it. */
  readonly name: string
  /** As people call it. */
  readonly title: string
  /** Its configurations. Of each scope the first is the one that is written. */
  readonly files: readonly HostFile[]
  readonly folders?: readonly HostFolder[]
  readonly format: 'json' | 'toml'
  /** How it writes its servers, where that is not the common way. */
  readonly dialect?: Dialect
  /** What it was told elsewhere not to start. */
  readonly rejections?: FindRejections
  readonly writing: Writing
  /** What the name begins with that it gives of itself to servers (`clientInfo`), in lower case. */
  readonly clients: readonly string[]
  /** What its model calls a tool of one of its servers by. */
  readonly toolName: (server: string, tool: string) => string
  /** The call that loads a tool by its name, `<call>`, in a host that loads them on demand. */
  readonly loading?: string
  /** How its model uses what lies in its {@link folders}. */
  readonly agents?: { readonly [kind in 'subagent' | 'skill']?: (name: string) => string }
  /** A program with windows: it does not see the PATH of a shell. */
  readonly isDesktop: boolean
}

/** A file in the folder of a project. */
export const projectFile = (holds: HostFile['holds'], ...way: readonly string[]): HostFile =>
  projectFileAt(holds, [way])

/** A file that may lie at several places in the folder of a project. */
export const projectFileAt = (holds: HostFile['holds'], ways: readonly (readonly string[])[]): HostFile => ({
  scope: 'project',
  holds,
  ways,
  at: (place) => ways.map((way) => joinOf(place)(place.cwd, ...way)),
})

/** A file of the user, or several places where it may lie. */
export const userFile = (
  holds: HostFile['holds'],
  at: (user: HostUser) => string | readonly string[],
): HostFile => ({ scope: 'user', holds, at: (user) => [at(user)].flat() })

/** `~/...` */
export const inHome =
  (...parts: readonly string[]) =>
  (user: HostUser): string =>
    joinOf(user)(user.home, ...parts)

/** The entry that most hosts understand: `command`, `args`, and `env` where there is something in it. */
export const plainEntry = ({ command, args, env }: HostLaunch): JsonObject => ({
  command,
  args,
  ...(Object.keys(env).length === 0 ? {} : { env }),
})

/** What hosts allow in the name of a function: the rest becomes `_`. */
export const inWords = (name: string): string => name.replace(/[^\w-]/g, '_')

/** `${env:NAME}`, as VS Code and the editors made from it have it. */
export const envReference = (name: string): string => `\${env:${name}}`

/** The names themselves, for a host that calls tools by what cannot be told from here: a number, a checksum. */
export const ofServer = (server: string, tool: string): string => `${tool} (server ${server})`

/** Names of at most so many letters; a longer one is cut by its host in a way of its own. */
export const atMost =
  (length: number, nameOf: Host['toolName']): Host['toolName'] =>
  (server, tool) => {
    const name = nameOf(server, tool)
    return name.length <= length ? name : ofServer(server, tool)
  }

/** Servers under one name at the top, which is the common way. */
export const under =
  (...key: readonly string[]) =>
  (): readonly string[] =>
    key

/** Servers that a host was told elsewhere not to start. */
type Rejections = {
  /** The file that rejects a server. */
  readonly fileThatRejects: (server: string) => string | undefined
  /** Settings that could not be read: they reject nothing. */
  readonly problems: readonly Problem[]
}

/** Rejections of a configuration by its path; without a user those of the project alone. */
export type FindRejections = (config: string, user: HostUser | undefined) => Rejections

/** Nothing is rejected. */
export const noRejections: Rejections = { fileThatRejects: () => undefined, problems: [] }

/** A file of settings that should be mended, since what it rejects is not known. */
export const unreadableSettings = (
  file: string,
  host: string,
  { message, remedy }: { readonly message: string; readonly remedy: string },
): Problem => ({
  severity: 'warning',
  file,
  message: `${message}; servers that it rejects for ${host} are not known`,
  remedy,
})
