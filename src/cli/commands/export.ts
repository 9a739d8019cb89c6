import { exportedAgent, type ExportedAgent, frameworks } from '../../catalog/frameworks/frameworks.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { knownCard } from '../ask/known.ts'
import { writeTexts } from '../../compose/shells/written-profiles.ts'
import { choice, defineCommand, flag, text } from '../command.ts'
import { exitCodes, UsageError } from '../errors.ts'

const names = frameworks.map(({ name }) => name)

/** `audition export`. */
export const command = defineCommand({
  description: [
    'Writes an agent in the format of another framework, and says which of its fields that format does not hold. The file is on',
    'standard output, what is lost on standard error. `audition index` reads these formats back. No secret is written: servers',
    'name environment variables.',
  ].join(' '),
  arguments: [{ syntax: '<id>', description: 'the id of an agent, for example agents/lease-reviewer' }],
  options: {
    as: choice('--as <framework>', 'the framework', names),
    write: text('--write <folder>', 'write its files into this folder'),
    json: flag('--json', 'print files, lost fields and notes as JSON'),
  },
  examples: [
    { line: 'audition export agents/lease-reviewer --as agno > lease.yaml', does: 'one file, for Agno' },
    {
      line: 'audition export agents/lease-reviewer --as crewai --write crew/config',
      does: 'agents.yaml and tasks.yaml',
    },
    { line: 'audition export agents/lease-reviewer --as langgraph --json', does: 'for a script' },
  ],
  async run({ words: [id = ''], flags }, context) {
    const framework = frameworks.find(({ name }) => name === flags.as)
    if (framework === undefined)
      throw new UsageError(`Say for which framework, with --as: ${names.join(', ')}.`)
    const card = await knownCard(await context.audition(), id)
    if (card.kind === 'tool') throw new UsageError(`${id} is a tool. Export agents.`)
    const exported = exportedAgent(card, framework)
    const { files } = exported
    const written = flags.write === undefined ? undefined : await writeTexts(flags.write, files)
    if (flags.json) {
      context.printJson({ id: card.id, as: framework.name, ...exported, ...(written && { written }) })
      return exitCodes.done
    }
    if (written === undefined) context.print(files[0]!.text.trimEnd())
    else context.print(...written.map((file) => `wrote ${printableLine(file)}`))
    const left = written === undefined ? files.slice(1).map(({ name }) => name) : []
    context.log(
      ...noticesOf(exported, framework.title),
      ...left.map((name) => `--write <folder> writes ${name} too.`),
    )
    return exitCodes.done
  },
})

function noticesOf({ lost, notes }: ExportedAgent, title: string): readonly string[] {
  return [
    lost.length === 0
      ? `${title} holds every field of it.`
      : `Not in the format of ${title}, or otherwise: ${lost.map(printableLine).join(', ')}.`,
    ...notes.map(printableLine),
  ]
}
