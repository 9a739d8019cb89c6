import { posix, win32 } from 'node:path'

/** The place where files are looked for: of this machine, or of a made-up one in tests. */
export type Surroundings = {
  /** Absolute path of the working folder. */
  readonly cwd: string
  /** Absolute path of the user's home. */
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: { readonly [name: string]: string | undefined }
}

/** Whose hosts are looked at: all but where the user is now. */
export type HostUser = Omit<Surroundings, 'cwd'>

/** `join` of the platform asked about, which is not always the one we run on. */
export const joinOf = ({ platform }: Pick<Surroundings, 'platform'>): typeof posix.join =>
  platform === 'win32' ? win32.join : posix.join

/** Where applications keep a user's settings: `~/Library/Application Support`, `%APPDATA%`, `~/.config`. */
export function settingsFolder(surroundings: HostUser): string {
  const { home, platform, env } = surroundings
  const join = joinOf(surroundings)
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  return env.XDG_CONFIG_HOME || join(home, '.config')
}

/** Where programs of the command line keep theirs, on every platform: `$XDG_CONFIG_HOME`, `~/.config`. */
export const dotConfigFolder = (user: HostUser): string =>
  user.env.XDG_CONFIG_HOME || joinOf(user)(user.home, '.config')

/** Where Claude Code keeps a user's agents, skills and settings. */
export const claudeFolder = (surroundings: HostUser): string =>
  surroundings.env.CLAUDE_CONFIG_DIR || joinOf(surroundings)(surroundings.home, '.claude')

/** Where Claude Code keeps a user's MCP servers, and what was chosen in each project. */
export const claudeUserConfig = (surroundings: HostUser): string =>
  joinOf(surroundings)(surroundings.env.CLAUDE_CONFIG_DIR || surroundings.home, '.claude.json')

/** Where Claude Code keeps the plugins of a user. */
export const claudePluginsFolder = (user: HostUser): string =>
  user.env.CLAUDE_CODE_PLUGIN_CACHE_DIR || joinOf(user)(claudeFolder(user), 'plugins')

/** The list of those that are installed. */
export const claudePluginList = (user: HostUser): string =>
  joinOf(user)(claudePluginsFolder(user), 'installed_plugins.json')
