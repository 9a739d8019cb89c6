import { existsSync } from 'node:fs'
import { entryBlock, entryName, type HostBlock, scopesOf } from '../../hosts/block.ts'
import type { Host } from '../../hosts/host.ts'
import { hostNamed, hostNames, hosts } from '../../hosts/hosts.ts'
import { claudeCode } from '../../hosts/known/claude-code.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { askYesNo } from '../ask/ask.ts'
import { choice, defineCommand, flag, type Flags, text } from '../command.ts'
import { type Context, hostUser } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'
import {
  blockOf,
  doneLines,
  initCommandOf,
  keptFolder,
  noteLines,
  pasteLine,
  scopeOf,
} from '../ask/host-launch.ts'
import { pluginLines, writeClaudePlugin } from '../ask/claude-plugin.ts'
import { knownCard } from '../ask/known.ts'
import { left, tableOf } from '../render/table.ts'

const options = {
  scope: choice('--scope <scope>', 'whose configuration: of this project, or yours everywhere', [
    'project',
    'user',
  ]),
  write: flag('--write', 'write the block into the file; the file as it was is kept for --undo'),
  replace: flag('--replace', 'with --write: overwrite another entry named "audition"'),
  undo: flag('--undo', 'take Audition out of the file again, or put the file back as it was'),
  call: flag('--call', 'let the host call tools and run agents through Audition, as far as you allow'),
  add: text('--add <id>', 'instead: the block of the server that has this tool, for the same configuration'),
  plugin: flag('--plugin', 'instead, for Claude Code: write its plugin, and print the lines that install it'),
  json: flag('--json', 'print path, block and outcome as JSON'),
}

/** `audition init`. */
export const command = defineCommand({
  description: [
    'Connects an AI host to Audition: prints the block for its configuration and the path of the file, or writes it',
    `there with --write. Everything else in the file stays as it is. Hosts: ${hostNames.join(', ')}.`,
  ].join(' '),
  arguments: [{ syntax: '[host]', description: 'the host; none: list the hosts and their files' }],
  options,
  examples: [
    { line: 'audition init claude-code', does: 'the block for .mcp.json of this project' },
    { line: 'audition init claude-code --scope user --write', does: 'have it in every project' },
    { line: 'audition init claude-desktop --write', does: 'put it into the file' },
    {
      line: 'audition init cursor --call --write',
      does: 'tools of servers that Cursor lacks can be called too',
    },
    { line: 'audition init cursor --add github/list_issues', does: 'the block of the server of a tool' },
    { line: 'audition init claude-code --plugin', does: 'the plugin: server, skill, command and hooks' },
    { line: 'audition init claude-desktop --undo', does: 'take it out again' },
    { line: 'audition init vscode --home ./store --write', does: 'with a store of its own' },
  ],
  async run({ words: [name], flags }, context) {
    assertOneIntent(flags)
    if (name === undefined) {
      if (flags.write || flags.undo || flags.add !== undefined || flags.plugin)
        throw new UsageError(`Say which host: ${hostNames.join(', ')}.`)
      await printHosts(context, flags.json ? 'json' : 'text')
      return exitCodes.done
    }
    const host = hostNamed(name)
    if (host === undefined) {
      throw new UsageError(`"${name}" is no host that Audition knows. Hosts: ${hostNames.join(', ')}.`)
    }
    if (flags.add !== undefined) {
      await printAdded(host, flags.add, context)
      return exitCodes.done
    }
    if (flags.plugin) {
      await writePlugin(host, flags, context)
      return exitCodes.done
    }
    const block = blockOf(host, context, {
      scope: scopeOf(host, flags.scope),
      calls: await mayCall(host, flags, context),
    })
    const form = flags.json ? 'json' : 'text'
    if (!flags.write && !flags.undo) printBlock({ host, block }, form, context)
    else if (block.path === null)
      throw new UsageError(`${host.title} has no file that can be written. ${pasteLine(host)}`)
    else {
      const target = { ...block, path: block.path }
      const [{ undoHostConfig, writeHostConfig }, { keptConfigsIn }] = await Promise.all([
        import('../../hosts/writing/write-config.ts'),
        import('../../hosts/writing/replace-file.ts'),
      ])
      const kept = keptConfigsIn(keptFolder(context))
      const done = flags.undo
        ? await undoHostConfig(target, kept)
        : await writeHostConfig(target, kept, flags.replace ? 'replace' : 'refuse')
      const stopped = flags.undo ? undefined : await stoppedIn(done.path, context)
      const isOff = stopped === undefined ? {} : { disabledIn: stopped }
      if (flags.json) context.printJson({ ...shown(host, block), ...done, ...isOff })
      else context.print(...doneLines(host, block, done), ...stoppedLines(host, stopped))
    }
    return exitCodes.done
  },
})

/** The file that keeps the host from starting what was just written; undefined when none does. */
async function stoppedIn(config: string, context: Context): Promise<string | undefined> {
  const [{ readHostServers }, { openDocument }] = await Promise.all([
    import('../../catalog/readers/host-config.ts'),
    import('../../catalog/source-document.ts'),
  ])
  const { servers } = readHostServers(openDocument(config), hostUser(context))
  const entry = servers.find(({ name }) => name === entryName)
  return entry?.disabled === true ? (entry.disabledIn ?? config) : undefined
}

const stoppedLines = ({ title }: Host, file: string | undefined): readonly string[] =>
  file === undefined ? [] : [`${title} will not start it yet: it is switched off in ${file}.`]

/** Off unless a person says so, where one can be asked before something is written. */
async function mayCall(
  { title }: Host,
  { call, write, json }: Flags<typeof options>,
  { terminal, signal }: Context,
): Promise<boolean> {
  if (call || !write || json) return call
  const question = `May ${title} call tools and run agents through Audition, as far as \`audition allow\` says?`
  return (await askYesNo(question, terminal, signal)) === true
}

/** The block that adds the server of a tool to a host, for what `audition hire` does not write. */
async function printAdded(host: Host, id: string, context: Context): Promise<void> {
  const { serverFor } = await import('../../catalog/server-block.ts')
  const card = await knownCard(await context.audition(), id)
  const user = hostUser(context)
  const server = serverFor(card, host, user)
  if (server === undefined)
    throw new Error(`"${printableLine(id)}" is of no MCP server that a configuration of this machine names.`)
  const { path, text: block } = entryBlock(host, server, { place: { ...user, cwd: context.terminal.cwd } })
  context.log(path === null ? pasteLine(host) : `Add this to ${path}:`, '')
  context.print(block.trimEnd())
}

/** The plugin lies in a folder of ours: nothing of the host's is written. */
async function writePlugin(host: Host, flags: Flags<typeof options>, context: Context): Promise<void> {
  if (host !== claudeCode) throw new UsageError('--plugin is for claude-code.')
  const calls = await mayCall(host, { ...flags, write: true }, context)
  const written = await writeClaudePlugin(blockOf(host, context, { calls }), context)
  if (flags.json) context.printJson({ host: host.name, ...written })
  else context.print(...pluginLines(written))
}

function assertOneIntent({ write, replace, undo, add, plugin, scope }: Flags<typeof options>): void {
  if (plugin && (write || undo || replace || add !== undefined || scope !== undefined))
    throw new UsageError('--plugin goes with --call and --json only: the plugin is installed by Claude Code.')
  if (add !== undefined && (write || undo)) throw new UsageError('--add prints a block: paste it yourself.')
  if (undo && write) throw new UsageError('--undo takes out what --write put in: give one of the two.')
  if (replace && !write) throw new UsageError('--replace goes with --write.')
}

const shown = ({ name }: Host, { scope, path, config, text, format }: HostBlock) => ({
  host: name,
  scope,
  path,
  block: config,
  ...(format === 'json' ? {} : { text }),
})

function printBlock(
  { host, block }: { readonly host: Host; readonly block: HostBlock },
  form: 'json' | 'text',
  context: Context,
): void {
  if (form === 'json') {
    context.printJson({
      ...shown(host, block),
      outcome: 'printed',
      ...(host.writing.paste === undefined ? {} : { paste: host.writing.paste }),
    })
    return
  }
  const { path, text } = block
  context.log(
    path === null
      ? pasteLine(host)
      : `${existsSync(path) ? 'Add this to' : 'Save this as'} ${path}, or run \`${initCommandOf(host, block.scope)} --write\`:`,
    ...noteLines(host, block),
    '',
  )
  context.print(text.trimEnd())
}

async function printHosts(context: Context, form: 'json' | 'text'): Promise<void> {
  const listed = hosts.flatMap((host) => {
    const scopes = scopesOf(host)
    const blocks =
      scopes.length === 0
        ? [blockOf(host, context)]
        : scopes.map((scope) => blockOf(host, context, { scope }))
    return blocks.map(({ scope, path }) => ({
      host: host.name,
      scope: path === null ? null : scope,
      path,
      exists: path !== null && existsSync(path),
      ...(host.writing.paste === undefined ? {} : { paste: host.writing.paste }),
    }))
  })
  if (form === 'json') {
    context.printJson(listed)
    return
  }
  const { stdout } = context.terminal
  context.print(
    ...tableOf(listed, stdout, [
      left('host', ({ host }) => host, { paint: stdout.paint.cyan }),
      left('scope', ({ scope }) => scope ?? '–'),
      left('file', ({ path, exists }) => (path === null ? 'paste' : exists ? 'exists' : 'none yet')),
      left('configuration', ({ path, paste }) => path ?? paste ?? '', { least: 16 }),
    ]),
    '',
    'Run `audition init <host>` for the block to paste, with --scope for the other file of a host.',
  )
}
