import { type Host, type FindRejections, noRejections } from './host.ts'
import { claudeCode } from './known/claude-code.ts'
import { claudeDesktop, cursor, jetbrains, junie, kiro, windsurf } from './known/plain-hosts.ts'
import { cline } from './known/cline.ts'
import { codex } from './known/codex.ts'
import { copilotCli } from './known/copilot-cli.ts'
import { geminiCli } from './known/gemini-cli.ts'
import { opencode } from './known/opencode.ts'
import { roo } from './known/roo.ts'
import { vscode } from './known/vscode.ts'
import { zed } from './known/zed.ts'
import { dirname } from 'node:path'

/** Every host that is known, in the order to list them: a new one is a file, or an entry of `plain-hosts.ts`, and its row here. */
export const hosts: readonly Host[] = [
  claudeCode,
  claudeDesktop,
  vscode,
  cursor,
  windsurf,
  codex,
  geminiCli,
  copilotCli,
  zed,
  cline,
  roo,
  kiro,
  opencode,
  junie,
  jetbrains,
]

/** The names that `audition init` takes. */
export const hostNames: readonly string[] = hosts.map(({ name }) => name)

export const hostNamed = (name: string): Host | undefined => hosts.find((host) => host.name === name)

/** The host that calls itself so to servers. */
export const hostOfClient = (client: string): Host | undefined =>
  hosts.find(({ clients }) => clients.some((name) => client.toLowerCase().startsWith(name)))

/** Where files of projects lie in the folder of the project, the longest way first. */
const ways = hosts
  .flatMap(({ files }) => files.flatMap(({ ways: own }) => own ?? []))
  .toSorted((a, b) => b.length - a.length)

/** The folder a configuration speaks for: that of its project where a host keeps it deeper, else its own. */
export function projectFolderOf(config: string): string {
  const names = config.split(/[\\/]/)
  const way = ways.find((parts) => parts.every((part, at) => names.at(at - parts.length) === part))
  let folder = dirname(config)
  for (let up = 1; up < (way?.length ?? 1); up += 1) folder = dirname(folder)
  return folder
}

/** What the hosts that read a configuration were told elsewhere not to start of it. */
export const rejectionsOf: FindRejections = (config, user) => {
  if (/^https?:/i.test(config)) return noRejections
  const all = hosts.flatMap(({ rejections }) => rejections?.(config, user) ?? [])
  return {
    fileThatRejects: (server) =>
      all.map(({ fileThatRejects }) => fileThatRejects(server)).find((file) => file !== undefined),
    problems: all.flatMap(({ problems }) => problems),
  }
}
