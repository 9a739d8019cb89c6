import type { Host } from './host.ts'
import { claudeCode } from './known/claude-code.ts'
import { claudeDesktop } from './known/claude-desktop.ts'
import { cline } from './known/cline.ts'
import { codex } from './known/codex.ts'
import { copilotCli } from './known/copilot-cli.ts'
import { cursor } from './known/cursor.ts'
import { geminiCli } from './known/gemini-cli.ts'
import { jetbrains, junie } from './known/jetbrains.ts'
import { kiro } from './known/kiro.ts'
import { opencode } from './known/opencode.ts'
import { roo } from './known/roo.ts'
import { vscode } from './known/vscode.ts'
import { windsurf } from './known/windsurf.ts'
import { zed } from './known/zed.ts'

/** Every host that is known, in the order to list them: a new one is a file and its row here. */
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
