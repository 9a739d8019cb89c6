import { saidIn } from '../ask/ask.ts'
import { defineCommand, flag, number, whole } from '../command.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { modelLines } from '../render/model-lines.ts'
import { defined } from '../../domain/defined.ts'

/** Characters of a task that are read. */
const taskLimit = 8000
const usualLimit = 10

const options = {
  limit: whole('-k, --limit <count>', `models (default: ${usualLimit})`, [1, 1000]),
  budget: number(
    '--budget <dollars>',
    'leave out models that cost more per million tokens, read and written in equal parts',
    [0, 1_000_000],
  ),
  priceWeight: number(
    '--price-weight <points>',
    'points of success in a hundred that a dollar more per million tokens has to bring (default: priceWeight of the settings, 1)',
    [0, 100],
  ),
  callable: flag('--callable', 'only models of AUDITION_LLM and of the settings'),
  all: flag('--all', 'models too that cannot be called and were never tried'),
  json: flag('--json', 'print the comparison as JSON'),
}

/** `audition models`. */
export const command = defineCommand({
  description: [
    'Compares language models: which one an agent should run on. With a task by what models made of the tasks nearest to it, in',
    'probes of agents and in tables of outcomes that were indexed; without one by their means. What is expected of a model less its',
    'price is its score. `audition index` reads lists of models with prices (api.json of models.dev) and outcomes ("query", "model",',
    '"score" a line). No language model is asked.',
  ].join(' '),
  arguments: [
    { syntax: '[task...]', description: 'the task in plain words; - reads it from standard input' },
  ],
  options,
  examples: [
    {
      line: 'audition models "write a function that sorts names"',
      does: 'best first, with the tasks that tell',
    },
    { line: 'audition models --callable --price-weight 5 "sum up a letter"', does: 'cheap ones sooner' },
    { line: 'audition models --all --budget 0.5', does: 'all that cost no more than half a dollar' },
  ],
  async run({ words, flags }, context) {
    if (flags.callable && flags.all) throw new UsageError('Give --callable or --all.')
    const task = (await saidIn(words, taskLimit, context)).slice(0, taskLimit).trim()
    if (words.length > 0 && task === '') throw new UsageError('The task is empty.')
    const comparison = await (await context.audition()).models({
      ...defined({ task: task || undefined, budget: flags.budget, priceWeight: flags.priceWeight }),
      ...(flags.callable ? { among: 'callable' } : flags.all ? { among: 'all' } : {}),
    })
    const shown = { ...comparison, models: comparison.models.slice(0, flags.limit ?? usualLimit) }
    if (flags.json) context.printJson(shown)
    else context.print(...modelLines(shown, comparison.models.length, context.terminal.stdout))
    return exitCodes.done
  },
})
