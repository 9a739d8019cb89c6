import { resolve } from 'node:path'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit-code.ts'

/** `audition evaluate register`. */
export const registerCommand = defineCommand({
  description: [
    'Puts a file or folder on the list of datasets that may be run by name. AI hosts may ask for what is on the list,',
    'and for nothing else.',
  ].join(' '),
  arguments: [
    { syntax: '<name>', description: 'small letters, digits, dots, dashes and underscores' },
    { syntax: '<path>', description: 'file or folder of the dataset' },
  ],
  options: {},
  examples: [
    { line: 'audition evaluate register team my-queries.jsonl', does: 'then: audition evaluate team' },
  ],
  async run({ words: [name = '', path = ''] }, context) {
    const evaluations = await (await context.audition()).evaluations()
    const { parts, queries } = await evaluations.register(name, resolve(context.terminal.cwd, path))
    const ofParts = parts === 1 ? '' : ` in ${countOf(parts, 'part')}`
    context.print(`Registered ${printableLine(name)}: ${countOf(queries, 'query', 'queries')}${ofParts}.`)
    return exitCodes.done
  },
})

/** `audition evaluate forget`. */
export const forgetCommand = defineCommand({
  description: 'Takes a dataset off the list. Its files and the runs over it are not touched.',
  arguments: [{ syntax: '<name>', description: 'as `audition evaluate` lists it' }],
  options: {},
  examples: [{ line: 'audition evaluate forget team', does: 'AI hosts can no longer run it' }],
  async run({ words: [name = ''] }, context) {
    const evaluations = await (await context.audition()).evaluations()
    if (await evaluations.unregister(name)) {
      context.print(`Forgot ${printableLine(name)}.`)
      return exitCodes.done
    }
    throw new Error(`No dataset "${name}" is registered. \`audition evaluate\` lists them.`)
  },
})
