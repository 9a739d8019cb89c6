import { resolve } from 'node:path'
import type { PartStatistics } from '../../compose/parts/recommender.ts'
import type { Problem } from '../../catalog/ports.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { choice, defineCommand, flag, text, texts, whole } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { problemLines } from '../render/problem-lines.ts'
import { recommendTables } from '../render/recommend-tables.ts'
import { defined } from '../../domain/defined.ts'

const json = flag('--json', 'print what came out as JSON')
const any = [1, 1_000_000] as const
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
    use: choice<'training' | 'development'>(
      '--use <which>',
      'of published sets: those that the shipped model may have seen, or those kept apart (default: training)',
      ['training', 'development'],
    ),
    out: text('--out <folder>', 'folder to be made'),
    perSet: whole('--per-set <count>', 'queries of one set at most (default: 1500)', any),
    prototypes: whole(
      '--prototypes <count>',
      'queries with models, and composed ones, at most: those that cover the rest (default: 3000)',
      any,
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
    const { out, outcomes, sets, models, use, perSet, prototypes } = flags
    if (out === undefined) throw new UsageError('Say where the dataset goes: --out <folder>.')
    if (outcomes.length + sets.length === 0)
      throw new UsageError('Say what it is made of: --outcomes <file...>, --sets <folder...>.')
    const path = pathIn(context)
    const problems: Problem[] = []
    const built = await (await context.audition()).recommend.build({
      out: path(out),
      outcomes: outcomes.map(path),
      sets: sets.map(path),
      ...defined({ models: models && path(models), use, perSet, prototypes }),
      signal: context.signal,
      onProblem: (one) => problems.push(one),
    })
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

const trainCommand = defineCommand({
  description: [
    'Trains a two-tower recommender on a dataset, and a ranker that fuses it with what a search knows. A fifth is held out: of the requests',
    'by their text, of the agents by what they can do, or of both.',
  ].join(' '),
  options: {
    data: text('--data <folder>', 'the dataset: of audition recommend build, or AgentSelect'),
    out: text('--out <folder>', 'folder to be made'),
    split: choice<'query' | 'agent' | 'both'>('--split <what>', 'what is held out (default: query)', [
      'query',
      'agent',
      'both',
    ]),
    seed: text('--seed <text>', 'another one holds out others (default: 42)'),
    tower: choice<'linear' | 'mlp'>('--tower <depth>', 'linear, or the MLP of the paper (default: linear)', [
      'linear',
      'mlp',
    ]),
    epochs: whole('--epochs <count>', 'times through the requests', [1, 1000]),
    json,
  },
  examples: [
    { line: 'audition recommend train --data requests --out recommender', does: 'requests held out by text' },
  ],
  async run({ flags }, context) {
    const { data, out, split, seed, tower, epochs } = flags
    if (data === undefined || out === undefined)
      throw new UsageError('Give the dataset and where the recommender goes: --data <folder> --out <folder>.')
    const path = pathIn(context)
    const trained = await (await context.audition()).recommend.train({
      data: path(data),
      out: path(out),
      ...defined({ by: split, seed, settings: defined({ depth: tower, epochs }) }),
      signal: context.signal,
      onProgress: (what) => context.log(what),
    })
    if (flags.json) context.printJson(trained)
    else
      context.print(
        `Trained on ${countOf(trained.trainedOn, 'request')}; ${trained.heldOut} are held out. The fusion has ${countOf(trained.trees, 'tree')}.`,
        `Written to ${trained.folder}.`,
      )
    return exitCodes.done
  },
})

const evaluateCommand = defineCommand({
  description: [
    'Asks the requests that a recommender has not seen, each over a pool of 1,000 agents, and measures it beside the search and the usual',
    'baselines, by part and by how often an agent was learned from.',
  ].join(' '),
  options: {
    data: text('--data <folder>', 'the dataset it was trained on'),
    recommender: text('--recommender <folder>', 'of audition recommend train'),
    row: texts(
      '--row <name...>',
      'only these: words, learned, reader, knn, mf, lightfm, dnn, lightgcn, ngcf, kgat, simgcl, onerec, tower, fusion',
    ),
    limit: whole('--limit <count>', 'requests of a part at most', any),
    ablation: flag('--ablation', 'also train and measure towers that see less'),
    json,
  },
  examples: [
    {
      line: 'audition recommend evaluate --data requests --recommender recommender --ablation',
      does: 'all tables',
    },
  ],
  async run({ flags }, context) {
    const { data, recommender, row, limit, ablation } = flags
    if (data === undefined || recommender === undefined)
      throw new UsageError('Give the dataset and the recommender: --data <folder> --recommender <folder>.')
    const path = pathIn(context)
    const report = await (await context.audition()).recommend.evaluate({
      data: path(data),
      recommender: path(recommender),
      ablation,
      signal: context.signal,
      ...defined({ rows: row.length === 0 ? undefined : row, limit }),
      onProgress: (what) => context.log(what),
    })
    if (flags.json) context.printJson(report)
    else context.print(...recommendTables(report))
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
  subcommands: [
    { name: 'build', summary: 'make a dataset of requests with agents', command: buildCommand },
    { name: 'train', summary: 'train a recommender on one', command: trainCommand },
    { name: 'evaluate', summary: 'measure it on what it has not seen', command: evaluateCommand },
  ],
  async run() {
    throw new UsageError('Say what to do: audition recommend build, train or evaluate.')
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
