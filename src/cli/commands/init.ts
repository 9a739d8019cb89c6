import { existsSync } from 'node:fs'
import { type Host, type HostBlock, hostBlock, hostNames } from '../../catalog/host-block.ts'
import { defineCommand } from '../command.ts'
import { flag } from '../command-options.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-code.ts'
import { ownLaunch } from '../host-launch.ts'
import { UsageError } from '../usage-error.ts'

/** `audition init`. */
export const initCommand = defineCommand({
  description: [
    'Connects an AI host to Audition: prints the block for its configuration and the path of the file, or writes it',
    `there with --write. Everything else in the file stays as it is. Hosts: ${hostNames.join(', ')}.`,
  ].join(' '),
  arguments: [{ syntax: '[host]', description: 'the host; none: list the hosts and their files' }],
  options: {
    write: flag('--write', 'write the block into the file (a copy of the file is kept)'),
    replace: flag('--replace', 'with --write: overwrite another entry named "audition"'),
    json: flag('--json', 'print path, block and outcome as JSON'),
  },
  examples: [
    { line: 'audition init claude-code', does: 'the block for .mcp.json of this project' },
    { line: 'audition init claude-desktop --write', does: 'put it into the file' },
    { line: 'audition init vscode --home ./store --write', does: 'with a store of its own' },
  ],
  async run({ words: [name], flags }, context) {
    if (flags.replace && !flags.write) throw new UsageError('--replace goes with --write.')
    if (name === undefined) {
      if (flags.write) throw new UsageError(`Say which host to write to: ${hostNames.join(', ')}.`)
      await printHosts(context, flags.json ? 'json' : 'text')
      return exitCodes.done
    }
    const host = hostNames.find((one) => one === name)
    if (host === undefined) {
      throw new UsageError(`"${name}" is no host that Audition knows. Hosts: ${hostNames.join(', ')}.`)
    }
    const block = blockOf(host, context)
    if (!flags.write) printBlock(host, block, context, flags.json ? 'json' : 'text')
    else {
      const { writeHostConfig } = await import('../../catalog/write-host-config.ts')
      const change = await writeHostConfig(block.path, block, flags.replace ? 'replace' : 'refuse')
      if (flags.json) context.printJson({ host, block: JSON.parse(block.text), ...change })
      else context.print(...changeLines(change, host))
    }
    return exitCodes.done
  },
})

/** The block that makes a host start this Audition. */
export function blockOf(host: Host, { terminal, env }: Context): HostBlock {
  const { cwd, home, platform } = terminal
  return hostBlock(host, ownLaunch(host, { cwd, platform, env }), { cwd, home, platform, env })
}

function printBlock(host: Host, { path, text }: HostBlock, context: Context, form: 'json' | 'text'): void {
  if (form === 'json') {
    context.printJson({ host, outcome: 'printed', path, block: JSON.parse(text) })
    return
  }
  const isThere = existsSync(path)
  context.log(
    `${isThere ? 'Add this to' : 'Save this as'} ${path}, or run \`audition init ${host} --write\`:`,
    '',
  )
  context.print(text.trimEnd())
}

function changeLines(
  { outcome, path, backup }: { readonly outcome: string; readonly path: string; readonly backup?: string },
  host: Host,
): readonly string[] {
  if (outcome === 'unchanged') return [`${path} has Audition already. Nothing was written.`]
  const did =
    { created: 'Created', added: 'Added Audition to', replaced: 'Replaced the entry in' }[outcome] ?? outcome
  return [
    `${did} ${path}.`,
    ...(backup === undefined ? [] : [`The file as it was: ${backup}`]),
    `Restart ${host}, then ask it for "the right agent for ..." and it will search.`,
  ]
}

async function printHosts(context: Context, form: 'json' | 'text'): Promise<void> {
  const hosts = hostNames.map((host) => {
    const { path } = blockOf(host, context)
    return { host, path, exists: existsSync(path) }
  })
  if (form === 'json') {
    context.printJson(hosts)
    return
  }
  const { tableLines } = await import('../table.ts')
  const { stdout } = context.terminal
  const columns = [
    { title: 'host', paint: stdout.paint.cyan },
    { title: 'file' },
    { title: 'configuration', least: 16 },
  ]
  const rows = hosts.map(({ host, path, exists }) => [host, exists ? 'exists' : 'none yet', path])
  context.print(
    ...tableLines(columns, rows, stdout),
    '',
    'Run `audition init <host>` for the block to paste.',
  )
}
