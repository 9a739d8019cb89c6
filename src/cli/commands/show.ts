import { knownCard } from '../ask/known.ts'
import { defineCommand, flag } from '../command.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { exportedNote } from '../../compose/runtimes.ts'

/** `audition show`. */
export const command = defineCommand({
  description: 'Shows one tool or agent in full. Ids stand in the answers of `audition search`.',
  arguments: [{ syntax: '<id>', description: 'the id of a tool or agent, for example github/create_issue' }],
  options: {
    yaml: flag('--yaml', 'print an agent as a capability profile (YAML)'),
    json: flag('--json', 'print the whole card as JSON'),
  },
  examples: [
    { line: 'audition show github/create_issue', does: 'description, parameters, where it comes from' },
    { line: 'audition show --yaml agents/lease-reviewer > lease.yaml', does: 'a profile to edit and index' },
    { line: 'audition show --json github/create_issue', does: 'with the input schema' },
  ],
  async run({ words, flags }, context) {
    const [id = ''] = words
    if (flags.yaml && flags.json)
      throw new UsageError('--yaml and --json exclude each other. Give one of them.')
    const audition = await context.audition()
    const card = await knownCard(audition, id)
    if (flags.json) context.printJson(card)
    else if (flags.yaml) {
      if (card.kind === 'tool') {
        throw new UsageError(`${id} is a tool; --yaml prints agents. Use --json for its schema.`)
      }
      const { renderProfileYaml } = await import('../../catalog/formats/capability-profile.ts')
      context.print(renderProfileYaml(card, exportedNote(card)).trimEnd())
    } else {
      const { cardLines } = await import('../render/card-lines.ts')
      context.print(...cardLines(card, context.terminal.stdout))
    }
    return exitCodes.done
  },
})
