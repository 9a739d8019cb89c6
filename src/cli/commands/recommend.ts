import { resolve } from 'node:path'
import type { PartStatistics } from '../../compose/recommender.ts'
import type { Problem } from '../../catalog/ports.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { defineCommand, flag, number, text, texts } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'

const json = flag('--json', 'print what came out as JSON')
const count = { least: 1, most: 1_000_000, whole: true }
/** Problems of the data that are printed one by one. */
const mostProblems = 20

const buildCommand = defineCommand({
  description: [
    'Makes a dataset of requests with the agents that serve them, in the layout of AgentSelect: agents that are a model alone from tables',
    'of outcomes, agents that are a toolkit alone from sets of labelled queries, and agents composed of both.',
  ].join(' '),
  options: {
    outcomes: texts('--outcomes <file...>', 'tables of outcomes: {"query", "scores": {"model": 0.5}} a line'),
    models: text('--models <file>', 'what these models are: {"model", "description"} a line'),
    sets: texts(
      '--sets <folder...>',
      'folders of sets: tools.jsonl with queries.jsonl whose labels say what they need',
    ),
    out: text('--out <folder>', 'folder to be made'),
    perSet: number('--per-set <count>', 'queries of one set at most (default: 1500)', count),
    prototypes: number(
      '--prototypes <count>',
      'queries with models, and composed ones, at most: those that cover the rest (default: 3000)',
      count,
    ),
    json,
  },
  examples: [
    {
      line: 'audition recommend build --outcomes outcomes.jsonl --sets toolret --out requests',
      does: 'all three parts; audition evaluate agentselect --from requests reads them',
    },
  ],
  async run({ flags }, context) {
    const { out, outcomes, sets, models, perSet, prototypes } = flags
    if (out === undefined) throw new UsageError('Say where the dataset goes: --out <folder>.')
    if (outcomes.length + sets.length === 0)
      throw new UsageError('Say what it is made of: --outcomes <file...>, --sets <folder...>.')
    const path = pathIn(context)
    const problems: Problem[] = []
    const built = await (await context.audition()).recommend.build({
      ...{ out: path(out), outcomes: outcomes.map(path), sets: sets.map(path) },
      ...(models === undefined ? {} : { models: path(models) }),
      ...(perSet === undefined ? {} : { perSet }),
      ...(prototypes === undefined ? {} : { prototypes }),
      signal: context.signal,
      onProblem: (one) => problems.push(one),
    })
    const { problemLines } = await import('../render/problem-lines.ts')
    context.log(...problemLines(problems, context.terminal.stderr, mostProblems))
    if (flags.json) context.printJson(built)
    else
      context.print(
        ...built.statistics.flatMap(statisticsLines),
        ...(built.unserved === 0 ? [] : [`No model served ${countOf(built.unserved, 'request')}; left out.`]),
        ...(built.alone === 0
          ? []
          : [
              `Nothing is near ${countOf(built.alone, 'request')} that might have been composed for; left out.`,
            ]),
        `Written to ${built.folder}.`,
      )
    return exitCodes.done
  },
})

/** `audition recommend`. */
export const command = defineCommand({
  description: 'Makes datasets of requests with agents, and learns from them which agent to recommend.',
  options: {},
  examples: [
    {
      line: 'audition recommend build --sets my-tools --out requests',
      does: 'toolkits from labelled queries',
    },
  ],
  subcommands: [{ name: 'build', summary: 'make a dataset of requests with agents', command: buildCommand }],
  async run() {
    throw new UsageError('Say what to do: audition recommend build.')
  },
})

const pathIn =
  ({ terminal }: Context) =>
  (given: string): string =>
    resolve(terminal.cwd, given)

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`

function statisticsLines({
  part,
  queries,
  agents,
  positives,
  density,
  ...more
}: PartStatistics): readonly string[] {
  const { tools, longTail, repeatedQueries } = more
  return [
    `${part}: ${countOf(queries, 'query', 'queries')}, ${countOf(agents, 'agent')}, ${countOf(positives, 'positive')}; density ${density.toPrecision(2)}, repeated texts ${percent(repeatedQueries)}.`,
    ...(tools.distinct === 0
      ? []
      : [
          `  ${countOf(tools.distinct, 'tool')}; per agent mean ${tools.mean.toFixed(2)}, median ${tools.median}, 90th percentile ${tools.ninetieth}, most ${tools.most}; exactly one ${percent(tools.one)}, two ${percent(tools.two)}.`,
        ]),
    `  Agents that are a positive once ${percent(longTail.once)}, never ${percent(longTail.never)}; the top tenth has ${percent(longTail.ofTopTenth)} of the positives.`,
  ]
}
