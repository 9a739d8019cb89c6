import { existsSync } from 'node:fs'
import { type HiredKind, takes } from '../../catalog/hiring.ts'
import { flagNames } from '../../domain/finding.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'
import type { Host, Scope } from '../../hosts/host.ts'
import { hostNamed, hostNames, hosts } from '../../hosts/hosts.ts'
import { askYesNo } from '../ask/ask.ts'
import { keptFolder } from '../ask/host-launch.ts'
import { hiringOf, kindOf } from '../ask/hiring.ts'
import { knownCard } from '../ask/known.ts'
import { choice, defineCommand, flag, text } from '../command.ts'
import { type Context, hostUser } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'

const options = {
  into: text('--into <host>', 'the host; none: the one that has a configuration here'),
  scope: choice('--scope <scope>', 'whose configuration: of this project, or yours everywhere', [
    'project',
    'user',
  ]),
  dryRun: flag('--dry-run', 'show what would be written, and write nothing'),
  yes: flag('-y, --yes', 'write it without asking'),
  json: flag('--json', 'print what was written as JSON'),
}

/** `audition hire`. */
export const command = defineCommand({
  description: [
    'Writes a sub-agent, a skill, or the server of a tool into the configuration of an AI host, after showing what',
    'would be written. Secrets are not copied: entries name environment variables. `audition fire` takes it out again.',
  ].join(' '),
  arguments: [{ syntax: '<id>', description: 'the id of a tool or agent, for example github/create_issue' }],
  options,
  examples: [
    {
      line: 'audition hire github/create_issue --into cursor',
      does: 'the server of a tool, for this project',
    },
    { line: 'audition hire agents/lease-reviewer --dry-run', does: 'the file of a sub-agent, only shown' },
    {
      line: 'audition hire skills/pdf --into claude-code --scope user --yes',
      does: 'a skill, in every project',
    },
  ],
  async run({ words: [id = ''], flags }, context) {
    const audition = await context.audition()
    const card = await knownCard(audition, id)
    const kind = kindOf(card)
    const host = chosenHost(flags.into, kind, context)
    const hiring = await hiringOf({ card, kind, host, audition }, flags.scope, context)
    const { changes, notes } = hiring
    const shown = { id: card.id, kind, host: host.name, scope: hiring.scope, files: changes, notes }
    if (changes.every(({ added }) => added === '')) {
      if (flags.json) context.printJson({ ...shown, outcome: 'unchanged' })
      else context.print(`${host.title} has it already: ${placeOf(changes)}. Nothing was written.`)
      return exitCodes.done
    }
    const strange = changes.find(({ added }) => printable(added) !== added.replaceAll('\r\n', '\n'))
    if (strange !== undefined)
      throw new RemedyError(
        `${strange.path}: its text has characters that cannot be shown.`,
        'Nothing was written.',
      )
    const lines = [...changes.flatMap(changeLines), ...flaggedLines(flagNames(card)), ...notes]
    if (flags.dryRun && !flags.json) context.print(...lines)
    else context.log(...lines)
    if (!flags.dryRun && !flags.yes) {
      const answer = await askYesNo('Write this?', context.terminal, context.signal)
      if (answer === null) throw new Error('nobody can be asked here. Add --yes, or look with --dry-run.')
      if (!answer) {
        context.log('Nothing was written.')
        return exitCodes.done
      }
    }
    if (!flags.dryRun) {
      const { keptConfigsIn } = await import('../../hosts/writing/replace-file.ts')
      const folder = hiring.scope === 'project' ? context.terminal.cwd : null
      await hiring.write({ id: card.id, host: host.name, folder }, keptConfigsIn(keptFolder(context)))
    }
    if (flags.json) context.printJson({ ...shown, outcome: flags.dryRun ? 'shown' : 'hired' })
    else if (!flags.dryRun)
      context.print(
        `Hired ${printableLine(card.id)} into ${host.title}: ${placeOf(changes)}.`,
        `\`audition fire ${printableLine(card.id)}\` takes it out again.`,
        `Restart ${host.title}, so that it reads its configuration.`,
      )
    return exitCodes.done
  },
})

const placeOf = ([first, ...others]: readonly { readonly path: string }[]): string =>
  `${printableLine(first!.path)}${others.length === 0 ? '' : ` and ${others.length} more`}`

const changeLines = ({
  path,
  added,
}: {
  readonly path: string
  readonly added: string
}): readonly string[] =>
  added === ''
    ? []
    : [
        printableLine(path),
        ...printable(added)
          .replace(/\n[ \t]*$/, '')
          .split('\n')
          .map((line) => `+ ${line}`),
        '',
      ]

const flaggedLines = (rules: readonly string[]): readonly string[] =>
  rules.length === 0 ? [] : [`The scan flagged it: ${rules.join(', ')}.`]

/** The host that is named, else the only one that has a configuration here. */
function chosenHost(into: string | undefined, kind: HiredKind, context: Context): Host {
  const able = hosts.filter((host) => takes(host, kind))
  const names = able.map(({ name }) => name).join(', ')
  if (into !== undefined) {
    const host = hostNamed(into)
    if (host === undefined)
      throw new UsageError(`"${into}" is no host that Audition knows. Hosts: ${hostNames.join(', ')}.`)
    if (able.includes(host)) return host
    throw new RemedyError(
      host.writing.paste === undefined
        ? `${host.title} takes no ${kind} from Audition.`
        : `${host.title} has no file that can be written.`,
      `Hosts that do: ${names}.`,
    )
  }
  const place = { ...hostUser(context), cwd: context.terminal.cwd }
  const present = (scope: Scope) =>
    able.filter((host) =>
      [...host.files, ...(host.folders ?? [])].some(
        (one) => one.scope === scope && [one.at(place)].flat().some(existsSync),
      ),
    )
  const [inProject, all] = [present('project'), present('user')]
  const found = inProject.length > 0 ? inProject : all
  if (found.length === 1) return found[0]!
  throw new UsageError(`Say into which host, with --into: ${names}.`)
}
