import { errorText } from '../../domain/remedy-error.ts'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { choice, defineCommand, flag, type Flags, text, texts, unlisted, whole } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, explainError, UsageError } from '../errors.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { SettingError, type SettingValues } from '../../evaluation/datasets/dataset.ts'
import type { EvaluationSettings } from '../../evaluation/evaluation-settings.ts'
import type { EvaluationResult, MeasuredResult, UnaskedResult } from '../../evaluation/evaluations.ts'
import { passRateCommand } from './evaluating/pass-rate.ts'
import { requireWritableFile, UnwritableError, writingTo } from '../../evaluation/runs/writable.ts'
import { curveLines, evaluationLines, overviewLines, unaskedLines } from '../render/evaluation-lines.ts'
import { rerankingLines, tercileLines } from '../render/reranking-lines.ts'
import { comparisonLines, findingLines } from '../render/comparison-lines.ts'
import { downloadLog, evaluationView } from '../progress.ts'
import { defined } from '../../domain/defined.ts'

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

const rankers = ['auto', 'lexical', 'dense', 'hybrid', 'rrf', 'learned', 'reader', 'cross-encoder'] as const

const options = {
  self: flag('--self', 'measure your own index, by queries made of its own cards'),
  written: unlisted(text('--written <count>', 'gone: `audition tasks make` writes requests')),
  part: texts('--part <name>', 'only this part of the dataset'),
  ranker: choice('--ranker <name>', 'how to rank (default: auto)', rankers),
  corpus: choice(
    '--corpus <which>',
    "what to search: each part's own cards (default), those of all parts joined, or your index",
    ['own', 'joined', 'index'],
  ),
  withInstruction: flag('--with-instruction', 'give the search the instructions of the queries too'),
  diverse: flag(
    '--diverse',
    'rank as hosts get it: near-copies folded, publishers capped for as many candidates as the measures look at',
  ),
  equivalence: choice(
    '--equivalence <view>',
    'which cards count as relevant: those that are labelled (strict, the default), or copies of them too (aware)',
    ['strict', 'aware'],
  ),
  defences: flag(
    '--defences',
    "take the dataset's cards for strangers', with the defences of search against them (off by default; your own index is searched as always)",
  ),
  absent: flag(
    '--absent',
    'ask every query once more without the cards that serve it: how often "nothing fits" is said rightly and wrongly',
  ),
  k: whole('--k <count>', 'cutoff of the measures (default: what the dataset is known by)', [1, 100]),
  measures: text('--measures <list>', 'measures instead, for example ndcg@10,recall@5,mrr@10'),
  limit: whole('--limit <count>', 'at most so many queries, spread evenly over the parts', [1, 1_000_000]),
  set: texts('--set <name=value>', 'a choice that the dataset leaves open'),
  run: text(
    '--run <file>',
    'measure the rankings of another system, a TREC run (query Q0 candidate rank score tag), in place of a search',
  ),
  firstStage: text(
    '--first-stage <file>',
    'rank only the first 100 candidates that a TREC run of another system has for each query',
  ),
  reranker: texts(
    '--reranker <line>',
    'measure this reranker, written as in AUDITION_RERANKER, in one table with the first stage and others',
  ),
  compare: text('--compare <run>', 'an earlier run: its name, "latest", or a run file'),
  name: text('--name <name>', 'name of the run (default: made of dataset and settings)'),
  report: text('--report <file>', 'write the report, one HTML page, here too'),
  from: text('--from <path>', 'where the benchmark of that name lies'),
  download: flag('--download', 'fetch the benchmark from where it is published, once'),
  curves: flag(
    '--curves',
    'also: grades by rank beside an oracle, and the headline by how often cards are wanted',
  ),
  json: flag('--json', 'print the figures as JSON'),
}

/** `audition evaluate`. */
export const command = defineCommand({
  description: [
    'Asks every query of a dataset by the same search that hosts use, and measures the rankings: means with 95%',
    'bootstrap intervals, beside latency and tokens per answer. A dataset is the name of one that comes with',
    'Audition or that you registered, a benchmark by name, or a file or folder: a benchmark, a BEIR folder, or your',
    'own queries with the ids they should find (JSONL or CSV). Without a dataset it lists what can be run and what',
    'was. Runs are kept, and the same inputs give the same bytes.',
  ].join(' '),
  arguments: [{ syntax: '[dataset]', description: 'a name, a file or a folder' }],
  options,
  examples: [
    { line: 'audition evaluate', does: 'datasets to run, and kept runs' },
    { line: 'audition evaluate bundled', does: 'our own queries over the bundled catalog' },
    { line: 'audition evaluate --self', does: 'what in your index cannot be found, and the fix' },
    { line: 'audition evaluate my-queries.jsonl --ranker lexical', does: 'your queries over your index' },
    { line: 'audition evaluate toolret --download --corpus joined', does: 'a published benchmark' },
    { line: 'audition evaluate team --equivalence aware', does: 'copies of an expected card count too' },
    { line: 'audition evaluate toolret --run theirs.trec --name theirs', does: "another system's run" },
    {
      line: 'audition evaluate toolret --first-stage theirs.trec --reranker rerank:cohere#rerank-v3.5',
      does: 'reranked, beside theirs',
    },
    { line: 'audition evaluate bundled --compare latest', does: 'with p-values, worst losses and wins' },
    { line: 'audition evaluate bundled --curves', does: 'where the ranking loses to the best order' },
    { line: 'audition evaluate register team my-queries.jsonl', does: 'let AI hosts run it by name' },
  ],
  subcommands: [
    {
      name: 'register',
      summary: 'allow a dataset by name, for AI hosts and for you',
      command: registerCommand,
    },
    { name: 'forget', summary: 'take a registered dataset off the list', command: forgetCommand },
    {
      name: 'pass-rate',
      summary: 'count the tasks that a model solves with given, found and no tools',
      command: passRateCommand,
    },
  ],
  async run({ words, flags }, context) {
    const place = placeOf(words, flags)
    await requireMeasures(flags)
    if (place === undefined) {
      await printOverview(flags, context)
      return exitCodes.done
    }
    const report = flags.report === undefined ? undefined : resolve(context.terminal.cwd, flags.report)
    if (report !== undefined) await requireWritableFile(report)
    const result = await runShown(place, flags, context)
    if (result.kind === 'unasked') {
      await printUnasked(result, flags, context)
      return exitCodes.done
    }
    await printResult(result, flags, context)
    const failures = [...result.failures, ...(await failuresToWrite(report, result.page))]
    context.log(...failures.flatMap((failure) => explainError(failure, false)))
    return failures.length === 0 ? exitCodes.done : exitCodes.failed
  },
})

type EvaluateFlags = Flags<typeof options>

/** @throws UsageError when it is not clear what is to be run */
function placeOf([word]: readonly string[], flags: EvaluateFlags): string | undefined {
  if (flags.measures !== undefined && flags.k !== undefined) {
    throw new UsageError('--k and --measures exclude each other: write the cutoffs into --measures.')
  }
  if (flags.self && word !== undefined && word !== 'self') {
    throw new UsageError(
      `--self measures your own index, and "${word}" is another dataset. Give one of them.`,
    )
  }
  if (flags.written !== undefined) {
    throw new UsageError(
      '--written is gone: write requests with `audition tasks make`, then `audition evaluate tasks.jsonl`.',
    )
  }
  if (flags.run !== undefined && flags.firstStage !== undefined)
    throw new UsageError('--run measures a run as it is, --first-stage ranks it anew. Give one of them.')
  if (flags.run !== undefined && (flags.ranker !== undefined || flags.diverse || flags.absent))
    throw new UsageError('--run measures rankings as they are: leave out --ranker, --diverse and --absent.')
  if (flags.reranker.length > 0 && (flags.run !== undefined || flags.self || word === 'self' || flags.absent))
    throw new UsageError('--reranker goes with neither --run nor --self nor --absent.')
  if (flags.reranker.length > 0 && flags.ranker !== undefined && flags.ranker !== 'auto')
    throw new UsageError('--reranker names rerankers, --ranker one ranking without them. Give one of them.')
  if (flags.self) return 'self'
  const given = Object.entries(flags).find(([name, value]) => name !== 'json' && isGiven(value))
  if (word === undefined && given !== undefined) {
    throw new UsageError('Name the dataset to run; `audition evaluate` alone lists them.')
  }
  return word
}

/** Before a dataset is read or fetched. @throws UsageError for a name that no measure has */
async function requireMeasures({ measures }: EvaluateFlags): Promise<void> {
  if (measures === undefined) return
  const { measureNamed } = await import('../../evaluation/measures/measures.ts')
  try {
    for (const name of measures.split(',')) measureNamed(name)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new UsageError(error.message, { cause: error })
  }
}

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false

async function runShown(place: string, flags: EvaluateFlags, context: Context): Promise<EvaluationResult> {
  const { answerTokens } = await import('../../server/tools/search.ts')
  const { terminal, signal, log } = context
  const evaluations = await (await context.audition()).evaluations()
  const isListed = (await evaluations.datasets()).some(({ name }) => name === place)
  const view = evaluationView(terminal.stderr)
  try {
    return await evaluations.run({
      dataset: {
        kind: 'place',
        place: isListed || flags.from !== undefined ? place : fileOr(place, context),
        ...(flags.from === undefined ? {} : { from: resolve(terminal.cwd, flags.from) }),
        ...(flags.download ? { download: { signal, onProgress: downloadLog(terminal.stderr) } } : {}),
      },
      parts: flags.part,
      ...settingsOf(flags),
      ...(await givenRuns(flags, context)),
      ...(flags.set.length === 0 ? {} : { choices: choicesOf(flags.set) }),
      ...(flags.reranker.length === 0 ? {} : { rerankers: flags.reranker }),
      ...(flags.compare === undefined ? {} : { compare: fileOr(flags.compare, context) }),
      answerTokens,
      signal,
      onProgress: (progress) => view.show(progress),
      onWarning(warning) {
        // At a terminal the note below the figures says it.
        if (flags.json || !terminal.stdout.isTty) log(`Warning: ${printableLine(warning)}`)
      },
    })
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    throw new UsageError(errorText(error), { cause: error })
  } finally {
    view.stop()
  }
}

async function givenRuns(
  { run, firstStage }: EvaluateFlags,
  { terminal }: Context,
): Promise<Pick<EvaluationSettings, 'givenRun' | 'firstStage'>> {
  if (run === undefined && firstStage === undefined) return {}
  const { readGivenRun } = await import('../../evaluation/runs/given-run.ts')
  const read = async (file = '') => (file === '' ? undefined : readGivenRun(resolve(terminal.cwd, file)))
  return defined({ givenRun: await read(run), firstStage: await read(firstStage) })
}

/** What lies in the working folder by this name, else the name. */
function fileOr(name: string, { terminal }: Context): string {
  const path = resolve(terminal.cwd, name)
  return existsSync(path) ? path : name
}

const settingsOf = (flags: EvaluateFlags): EvaluationSettings => {
  const { ranker, corpus, equivalence, k, limit, name } = flags
  return defined({
    ranker,
    corpus,
    equivalence,
    k,
    limit,
    name,
    measures: flags.measures?.split(','),
    instruction: flags.withInstruction ? 'with' : undefined,
    pack: flags.diverse ? 'diverse' : undefined,
    defences: flags.defences ? 'on' : undefined,
    absent: flags.absent || undefined,
  })
}

/** @throws UsageError */
function choicesOf(given: readonly string[]): SettingValues {
  const pairs = given.map((pair) => {
    const [, name, value] = /^([^=]+)=(.+)$/s.exec(pair) ?? []
    if (name === undefined || value === undefined) {
      throw new UsageError(`--set takes name=value, not "${pair}".`)
    }
    return [name, value] as const
  })
  return Object.fromEntries(pairs)
}

/** Writes the report to where it is wanted; what fails is told after the figures. */
async function failuresToWrite(report: string | undefined, page: string): Promise<readonly Error[]> {
  if (report === undefined) return []
  try {
    await writingTo(report, async () => {
      await mkdir(dirname(report), { recursive: true })
      await writeFile(report, page)
    })
    return []
  } catch (error) {
    if (error instanceof UnwritableError) return [error]
    throw error
  }
}

/** An index that nothing can be asked of: what its cards alone tell. */
async function printUnasked(
  { dataset, findings }: UnaskedResult,
  flags: EvaluateFlags,
  context: Context,
): Promise<void> {
  if (flags.json) {
    context.printJson({ dataset, queries: 0, findings })
    return
  }
  const { stdout } = context.terminal
  context.print(...unaskedLines(dataset, stdout))
  if (findings.length > 0) context.print(...findingLines(findings, stdout))
}

async function printResult(result: MeasuredResult, flags: EvaluateFlags, context: Context): Promise<void> {
  const { run, timing, comparison, findings, kept } = result
  const { curvesOf } = await import('../../evaluation/report/curves.ts')
  if (flags.json) {
    const { outcomes, ...figures } = run
    context.printJson({
      id: kept?.id,
      folder: kept?.folder,
      ...figures,
      curves: flags.curves ? curvesOf(run) : undefined,
      queries: outcomes.length,
      timing,
      comparison,
      findings,
    })
    return
  }
  const { stdout } = context.terminal
  context.print(...evaluationLines(run, timing, stdout))
  const [headline = ''] = run.measures
  if (run.reranking !== undefined) {
    context.print(...rerankingLines(run.reranking, run.measures, stdout))
    const { probes } = run.reranking
    if (probes !== undefined) context.print('', ...tercileLines(probes, headline, stdout))
  }
  if (flags.curves) context.print('', ...curveLines(curvesOf(run), headline, stdout))
  if (comparison !== undefined) context.print('', ...comparisonLines(comparison, stdout))
  if (findings !== undefined) context.print(...findingLines(findings, stdout))
  if (kept === undefined) return
  const { id, folder, report } = kept
  context.print('', `Kept as ${id.run} in ${folder}${report === 'kept' ? ', with the report' : ''}.`)
}

async function printOverview(flags: EvaluateFlags, context: Context): Promise<void> {
  const evaluations = await (await context.audition()).evaluations()
  const [datasets, runs] = await Promise.all([evaluations.datasets(), evaluations.runs()])
  if (flags.json) {
    context.printJson({ datasets, runs })
    return
  }
  context.print(...overviewLines(datasets, runs, context.terminal.stdout))
}
