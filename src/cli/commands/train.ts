import { resolve } from 'node:path'
import type { TrainedModel } from '../../compose/app.ts'
import type { Problem } from '../../catalog/ports.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { perCent } from '../../evaluation/report/numbers.ts'
import { defineCommand, flag, type Flags, text, texts, whole } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { problemLines } from '../render/problem-lines.ts'
import { trainingView } from '../progress.ts'
import { durationText } from '../render/text.ts'
import { defined } from '../../domain/defined.ts'

const options = {
  data: texts('--data <folder...>', 'folders with tools or agents, and queries that name what they ask for'),
  out: text('--out <folder>', 'folder to be made for the model; its name is the name of the model'),
  from: text('--from <folder>', 'adapt this model to the data instead of training from scratch'),
  initialVectors: text(
    '--initial-vectors <file>',
    'word vectors to start from: the text format of GloVe, or the JSON of wink-embeddings',
  ),
  reader: text('--reader <folder>', 'readers to put into the model: reader, fold-readers/<part>, folds.json'),
  prepare: flag('--prepare', 'stop when all is done that needs no reader; --reader goes on from there'),
  leaveOut: texts('--leave-out <family...>', 'families of published sets to leave out'),
  seed: whole('--seed <number>', 'the same seed gives the same model (default: 1)', [0, 2 ** 31 - 1]),
  threads: whole('--threads <count>', 'threads to train with (default: one per core, at most 16)', [1, 64]),
  dimensions: whole(
    '--dimensions <count>',
    'length of a vector, a multiple of 8 (default: the 192 principal ones of 256)',
    [8, 1024],
  ),
  vocabulary: whole('--vocabulary <count>', 'tokens at most (default: 40000)', [256, 65_536]),
  epochs: whole('--epochs <count>', 'times through the queries (default: 3, with --from 2)', [1, 1000]),
  json: flag('--json', 'print the model card as JSON'),
}

/** `audition train`. */
export const command = defineCommand({
  description: [
    'Trains the embedding that search by meaning uses, and the ranking over both retrievers, on cards and queries:',
    'tool sets in the shape of ToolRet (tools.jsonl, queries.jsonl), catalogs of agents, and queries over either.',
    'With --from it adapts a model to your own catalog in a few minutes. The same data and seed give the same',
    'model. Ctrl-C stops it; the same command goes on from there.',
  ].join(' '),
  options,
  examples: [
    { line: 'audition train --data toolret agents --out mine', does: 'from scratch' },
    {
      line: 'audition train --data my-tools --from mine --out ours',
      does: 'adapt a model',
    },
    {
      line: 'audition train --data toolret --initial-vectors glove.txt --out warm',
      does: 'start from known words',
    },
    {
      line: 'audition train --data toolret --leave-out rapidapi --out without',
      does: 'without one family of sets',
    },
  ],
  async run({ flags }, context) {
    const { data, out } = flags
    if (data.length === 0) throw new UsageError('Give the folders to train on: --data <folder...>.')
    if (out === undefined) throw new UsageError('Say where the model goes: --out <folder>.')
    refuseSettled(flags)
    const started = performance.now()
    const problems: Problem[] = []
    const model = await trainShown(flags, { data, out, onProblem: (one) => problems.push(one) }, context)
    context.log(...problemLines(problems, context.terminal.stderr, mostProblems))
    if (model === null)
      return flags.prepare && !context.signal.aborted ? exitCodes.done : exitCodes.interrupted
    const { name, folder, card } = model
    if (flags.json) context.printJson({ name, folder, card, problems })
    else context.print(...(await modelLines(model, (performance.now() - started) / 1000)))
    return exitCodes.done
  },
})

type TrainFlags = Flags<typeof options>

/** Problems of the data that are printed one by one. */
const mostProblems = 20

/** @throws UsageError for what the model that is adapted has settled */
function refuseSettled(flags: TrainFlags): void {
  const { from, dimensions, vocabulary, initialVectors, reader, prepare } = flags
  if (from === undefined) return
  const given = Object.entries({
    '--dimensions': dimensions,
    '--vocabulary': vocabulary,
    '--initial-vectors': initialVectors,
    '--reader': reader,
    '--prepare': prepare || undefined,
  }).find(([, value]) => value !== undefined)
  if (given !== undefined) {
    throw new UsageError(`${given[0]} and --from exclude each other: a model that is adapted keeps its own.`)
  }
}

/** @returns null when it was stopped and can go on */
async function trainShown(
  flags: TrainFlags,
  {
    data,
    out,
    onProblem,
  }: {
    readonly data: readonly string[]
    readonly out: string
    readonly onProblem: (problem: Problem) => void
  },
  context: Context,
): Promise<TrainedModel | null> {
  const { terminal, signal } = context
  const path = (given: string): string => resolve(terminal.cwd, given)
  const at = (given: string | undefined) => given && path(given)
  const { from, initialVectors, reader, leaveOut, seed, threads, dimensions, vocabulary, epochs } = flags
  const audition = await context.audition()
  const view = trainingView(terminal.stderr)
  try {
    return await audition.train({
      data: data.map(path),
      out: path(out),
      ...defined({ from: at(from), initialVectors: at(initialVectors), reader: at(reader), seed, threads }),
      prepare: flags.prepare,
      leaveOut,
      signal,
      onProblem,
      recipe: defined({ dimensions, keptDimensions: dimensions, vocabulary, epochs }),
      onProgress: (progress) => view.show(progress),
    })
  } catch (error) {
    if (!(error instanceof Error && 'keptIn' in error)) throw error
    view.stop()
    context.log(
      flags.prepare && !signal.aborted
        ? `Prepared. What is done is kept in ${error.keptIn}; the same command with --reader goes on from there.`
        : `Stopped. What is done is kept in ${error.keptIn}; the same command goes on from there.`,
    )
    return null
  } finally {
    view.stop()
  }
}

async function modelLines({ name, folder, card }: TrainedModel, seconds: number): Promise<readonly string[]> {
  const { embedding, ranker, reader } = card
  return [
    `Trained ${printableLine(name)} in ${durationText(seconds)} on ${countOf(embedding.supervisedPairs, 'query', 'queries')} and ${countOf(embedding.selfSupervisedPairs, 'pair')} of the cards' own.`,
    ...(embedding.heldOutNdcg10 === null
      ? []
      : [
          `nDCG@10 of ${countOf(embedding.heldOutQueries, 'held-out query', 'held-out queries')}, by the embedding alone: ${perCent(embedding.heldOutNdcg10)}.`,
        ]),
    ...(ranker?.heldOutNdcg10 == null
      ? []
      : [`nDCG@10 of the ranker on queries set apart: ${perCent(ranker.heldOutNdcg10)}.`]),
    ...(reader?.ranker.heldOutNdcg10 == null
      ? []
      : [`The same of the ranker with readings: ${perCent(reader.ranker.heldOutNdcg10)}.`]),
    `Written to ${folder}: README.md tells of it, model.json holds the same for programs.`,
  ]
}
