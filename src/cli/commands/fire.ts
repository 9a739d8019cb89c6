import { RemedyError } from '../../domain/remedy-error.ts'
import { closestIds } from '../../domain/text/closest-ids.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { Hired, KeptConfig, KeptConfigs, KeptEntry } from '../../hosts/writing/replace-file.ts'
import { keptFolder } from '../ask/host-launch.ts'
import { choice, defineCommand, flag, text } from '../command.ts'
import { exitCodes, UsageError } from '../errors.ts'

/** Something hired: an entry of a configuration, or a file that is there for it alone. */
type Held = Hired & { readonly state: KeptConfig; readonly entry?: KeptEntry }

/** `audition fire`. */
export const command = defineCommand({
  description: [
    'Takes out again what `audition hire` wrote into the configuration of an AI host. The file is byte for byte as it',
    'was before. What was changed in that place since stays, and the answer says so.',
  ].join(' '),
  arguments: [{ syntax: '[id]', description: 'the id that was hired; none: list what is hired' }],
  options: {
    from: text('--from <host>', 'the host, where several have it'),
    scope: choice(
      '--scope <scope>',
      'whose: of this project, or yours everywhere (default: the project, if it has it)',
      ['project', 'user'],
    ),
    yes: flag('-y, --yes', 'as `audition hire` takes it; nothing is asked here'),
    json: flag('--json', 'print what was taken out as JSON'),
  },
  examples: [
    { line: 'audition fire', does: 'what is hired, and where' },
    { line: 'audition fire github/create_issue --from cursor', does: 'take its server out of Cursor' },
  ],
  async run({ words: [id], flags }, context) {
    const [{ keptConfigsIn }, { undoHostConfig }, { removeNewFiles }] = await Promise.all([
      import('../../hosts/writing/replace-file.ts'),
      import('../../hosts/writing/write-config.ts'),
      import('../../hosts/writing/new-files.ts'),
    ])
    const kept = keptConfigsIn(keptFolder(context))
    const all = await heldIn(kept)
    if (id === undefined) {
      const listed = all.map(({ id: one, host, state }) => ({ id: one, host, path: state.path }))
      if (flags.json) context.printJson(listed)
      else if (listed.length === 0) context.print('Nothing is hired.')
      else context.print(...listed.map((one) => printableLine(`${one.id}  ${one.host}  ${one.path}`)))
      return exitCodes.done
    }
    const found = chosen(all, { id, ...flags, cwd: context.terminal.cwd })
    const paths: string[] = []
    for (const { state, entry } of found.filter((one) => one.entry !== undefined)) {
      const { path } = await undoHostConfig({ ...entry!, path: state.path }, kept, 'refuse')
      paths.push(path)
    }
    const files = found.flatMap(({ state, entry }) => (entry === undefined ? [state] : []))
    await removeNewFiles(files, kept)
    paths.push(...files.map(({ path }) => path))
    if (flags.json) context.printJson({ id, host: found[0]!.host, outcome: 'fired', files: paths })
    else context.print(`Took ${printableLine(id)} out of ${paths.map(printableLine).join(', ')}.`)
    return exitCodes.done
  },
})

const heldIn = async (kept: KeptConfigs): Promise<readonly Held[]> =>
  (await kept.all()).flatMap((state): readonly Held[] => [
    ...(state.hired === undefined ? [] : [{ ...state.hired, state }]),
    ...state.entries.flatMap((entry) =>
      entry.hired === undefined ? [] : [{ ...entry.hired, state, entry }],
    ),
  ])

type Wanted = {
  readonly id: string
  readonly from: string | undefined
  readonly scope: string | undefined
  readonly cwd: string
}

/** What is hired so for this project, else for the user everywhere. */
function chosen(all: readonly Held[], { id, from, scope, cwd }: Wanted): readonly Held[] {
  const found = all.filter((one) => one.id === id && (from === undefined || one.host === from))
  const inProject = scope === 'user' ? [] : found.filter(({ folder }) => folder === cwd)
  const isOfProject = scope === 'project' || inProject.length > 0
  const here = isOfProject ? inProject : found.filter(({ folder }) => folder === null)
  const hosts = [...new Set(here.map(({ host }) => host))]
  if (hosts.length === 1) return here
  if (hosts.length > 1)
    throw new UsageError(`"${id}" is hired by several hosts. Add --from: ${hosts.join(', ')}.`)
  const where = from === undefined ? '' : ` by ${from}`
  const message = `nothing is hired${where} here as "${printableLine(id)}".`
  const places = new Set(found.map(({ folder }) => folder ?? 'your own configuration (--scope user)'))
  if (places.size > 0) throw new RemedyError(message, `It is in ${[...places].join(', ')}: fire it there.`)
  const near = closestIds([...new Set(all.map((one) => one.id))], id, 3).map(printableLine)
  throw new RemedyError(
    message,
    near.length === 0 ? 'Run `audition fire` for what is.' : `Hired are: ${near.join(', ')}.`,
  )
}
