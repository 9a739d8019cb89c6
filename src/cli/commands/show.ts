import { knownCard } from '../ask/known.ts'
import { defineCommand, flag } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { modelKey } from '../../domain/model-card.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { exportedNote } from '../../compose/runtimes.ts'
import { cardLines } from '../render/card-lines.ts'
import { modelLines } from '../render/model-lines.ts'

/** `audition show`. */
export const command = defineCommand({
  description:
    'Shows one tool, agent or language model in full. Ids stand in the answers of `audition search` and `audition models`.',
  arguments: [
    { syntax: '<id>', description: 'the id of a tool, agent or model, for example github/create_issue' },
  ],
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
    const [found] = await audition.cards([id])
    if (found === undefined && !flags.yaml && (await showedModel(id, flags.json, context)))
      return exitCodes.done
    const card = found ?? (await knownCard(audition, id))
    if (flags.json) context.printJson(card)
    else if (flags.yaml) {
      if (card.kind === 'tool') {
        throw new UsageError(`${id} is a tool; --yaml prints agents. Use --json for its schema.`)
      }
      const { renderProfileYaml } = await import('../../catalog/formats/capability-profile.ts')
      context.print(renderProfileYaml(card, exportedNote(card)).trimEnd())
    } else context.print(...cardLines(card, context.terminal.stdout))
    return exitCodes.done
  },
})

/** Shows the language model of an id, if lists or outcomes know one. */
async function showedModel(id: string, json: boolean, context: Context): Promise<boolean> {
  const all = await (await context.audition()).models({ among: 'all' })
  const alike = all.models.filter((one) => modelKey(one.id) === modelKey(id))
  const model = alike.find((one) => one.id === id) ?? alike[0]
  if (model === undefined) return false
  if (json) context.printJson(model)
  else {
    context.print(...modelLines({ ...all, models: [model] }, all.models.length, context.terminal.stdout))
    for (const [what, words] of Object.entries({ reads: model.input, writes: model.output }))
      if (words !== undefined) context.print(`${what} ${words.map(printableLine).join(', ')}`)
    if (model.licence !== undefined) context.print(`licence ${printableLine(model.licence)}`)
  }
  return true
}
