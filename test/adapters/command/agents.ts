import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dump } from 'js-yaml'
import { folderWith } from '../../catalog/temporary-folder.ts'
import { commandRuntime } from '../../../src/adapters/command/command-runtime.ts'
import type { AgentCard, Card } from '../../../src/domain/card.ts'
import { defaultLimits, type Execution, type ExecutionLimits, type Task } from '../../../src/probing/ports.ts'

/** The program that behaves in one way or another. */
export const agentProgram = fileURLToPath(
  new URL('../../../bench/misbehaving/programs/agent.mjs', import.meta.url),
)

export const catalogFolder = '/opt/audition/catalog'

/** A card of a profile at this file. */
export const cardOf = (file: string, name = 'subject'): AgentCard => ({
  kind: 'agent',
  agentKind: 'profile',
  id: `test/${name}`,
  source: 'test',
  name,
  description: 'A subject',
  examples: [],
  tags: [],
  backbone: null,
  tools: [],
  policy: {},
  provenance: { reader: 'profile-yaml', location: file },
  runtime: { kind: 'profile', file },
})

let marks = 0

/** A text that stands in the command line of the processes of one agent and of no other. */
export const newMark = (): string => `mark-${process.pid}-${marks++}`

/** A profile in a folder of its own that runs a behaviour, and its card. */
export function agentOf(
  behaviour: string,
  { argument = '', run = {}, mark = newMark() }: { argument?: string; run?: object; mark?: string } = {},
): { readonly card: Card; readonly folder: string; readonly mark: string } {
  const command = { command: process.execPath, args: [agentProgram, behaviour, mark, argument], ...run }
  return { ...commandCard(command), mark }
}

/** A profile with this `run`, and its card. */
export function commandCard(run: object): { readonly card: Card; readonly folder: string } {
  const profile = dump({ profile: 'audition/v1', name: 'subject', description: 'A subject', run })
  const folder = folderWith({ 'subject.yaml': profile })
  return { card: cardOf(join(folder, 'subject.yaml')), folder }
}

/** Runs a card with time to spare, unless the test says otherwise. */
export const run = (
  card: Card,
  options: {
    readonly task?: Task
    readonly limits?: Partial<ExecutionLimits>
    readonly environment?: { readonly [name: string]: string | undefined }
  } = {},
): Promise<Execution> =>
  executorOf(commandRuntime, { catalogFolder, environment: options.environment ?? process.env }).execute(
    card,
    options.task ?? { text: 'Say hello' },
    { limits: { ...defaultLimits, ...options.limits }, signal: new AbortController().signal },
  )

/** Command lines of living processes that hold a text; needs `ps` where there is no /proc. */
export function processesWith(mark: string): readonly string[] {
  const lines =
    process.platform === 'linux'
      ? readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .map(commandLine)
      : execFileSync('ps', ['-axo', 'command'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(mark))
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
