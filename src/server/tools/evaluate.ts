import { z } from 'zod'
import type { EvaluationProgress } from '../../evaluation/evaluation-settings.ts'
import { UnknownRunError } from '../../evaluation/runs/run-file.ts'
import { quoted, quotedList } from '../text.ts'
import { nameText } from '../schemas.ts'
import { awaitJob, type Job, type JobKind, type JobWords, knownJob, sharedJobs } from '../jobs/jobs.ts'
import { Mistake } from '../mistakes.ts'
import { defineTool } from '../tool.ts'

/** What `evaluate` answers. Which fields there are follows from `state`. */
const evaluateOutput = z.looseObject({
  state: z.enum(['running', 'done']),
  run_id: z.string(),
})

/** An evaluation that goes on while calls come and go. */
type EvaluationJob = Job<EvaluationProgress>

/** How evaluations are called in messages. */
export const evaluationJobKind: JobKind = {
  tool: 'evaluate',
  noun: 'evaluation',
  smaller: 'Call evaluate again with a smaller limit.',
  again: 'Call evaluate with a dataset to run it again; what was finished is kept.',
}

/** How an evaluation is told of while it runs. */
const evaluationWords: JobWords<EvaluationProgress> = {
  tell: ({ part, done, total }) => ({ done, total, message: `${part}: ${done} of ${total} queries` }),
  running(job) {
    const { done = 0, total = 0, secondsLeft = null } = job.progress() ?? {}
    const next = `Call evaluate ${JSON.stringify({ run_id: job.id })} to wait for it.`
    return {
      text: `Running: ${done} of ${total} queries of ${job.subject}. ${next}`,
      structured: {
        state: 'running',
        run_id: job.id,
        dataset: job.subject,
        done,
        total,
        ...(secondsLeft === null ? {} : { seconds_left: Math.ceil(secondsLeft) }),
        next,
      },
    }
  },
}

/** Longest time a run may take, in milliseconds, however often it is asked for. */
const longestMs = 600_000
const jobsFor = sharedJobs<EvaluationProgress>(evaluationJobKind, longestMs)

/** Measures search on a dataset that the user allowed by name. */
export const evaluateSearch = defineTool({
  name: 'evaluate',
  title: 'Evaluate search',
  description:
    'Measure search on judged queries: compare rankers, or with dataset "self" learn which cards cannot be found.',
  effect: 'keepsRecords',
  loading: { hint: 'measure search' },
  example: { dataset: 'bundled', limit: 100 },
  input: z.strictObject({
    dataset: nameText().optional().describe('"bundled", "self", or one the user registered.'),
    ranker: z
      .enum(['auto', 'lexical', 'dense', 'hybrid', 'rrf', 'learned', 'reader', 'cross-encoder'])
      .optional()
      .describe('Default auto.'),
    limit: z.int().min(1).max(20_000).default(500).describe('Most queries.'),
    compare: nameText().optional().describe('A run, or "latest".'),
    max_seconds: z.int().min(1).max(300).default(25).describe('Longest wait.'),
    run_id: nameText().optional().describe('Of a running one.'),
    stop: z.boolean().optional().describe('Ends run_id.'),
  }),
  output: evaluateOutput,
  async handle(app, input, context) {
    const jobs = jobsFor(app)
    const waitMs = input.max_seconds * 1000
    const known = knownJob(jobs, input)
    if (known !== null) return awaitJob(known, evaluationWords, { waitMs, context })
    const evaluations = await app.evaluations()
    const names = (await evaluations.datasets()).map(({ name }) => name)
    const { dataset } = input
    if (dataset === undefined || !names.includes(dataset)) throw unknownDataset(dataset, names)
    const [{ answerTokens }, { evaluationAnswer }] = await Promise.all([
      import('./search.ts'),
      import('../answers/evaluation-answer.ts'),
    ])
    const job: EvaluationJob = jobs.start(dataset, async (watch) => {
      const running = evaluations.run({
        dataset: { kind: 'known', name: dataset },
        limit: input.limit,
        answerTokens,
        ...watch,
        ...(input.ranker === undefined ? {} : { ranker: input.ranker }),
        ...(input.compare === undefined ? {} : { compare: input.compare }),
      })
      const result = await running.catch(tellUnknownRun)
      return evaluationAnswer(job.id, result)
    })
    const gaveUp = 'The evaluation was cancelled by its caller.'
    return awaitJob(job, evaluationWords, { waitMs, context, gaveUp })
  },
})

/** @throws Mistake for a run to compare with that is not kept, with those that are; anything else as it came */
function tellUnknownRun(error: unknown): never {
  if (!(error instanceof UnknownRunError)) throw error
  const { run, dataset, kept } = error
  const said = `No run ${quoted(run)} of ${quoted(dataset)} is kept`
  throw new Mistake(
    kept.length === 0
      ? `${said}, nor any other. Call evaluate without "compare": its run is kept, to compare later ones with.`
      : `${said}. Kept: ${quotedList(kept, 10, 120)}. Call evaluate with one of these in "compare", or without it.`,
    { cause: error },
  )
}

const unknownDataset = (dataset: string | undefined, names: readonly string[]): Mistake =>
  new Mistake(
    `${dataset === undefined ? '"dataset" is missing.' : `No dataset is called ${quoted(dataset)}.`} ` +
      `Datasets: ${quotedList(names, 20)}. Example: evaluate ${JSON.stringify({ dataset: names[0] })}. ` +
      'The user adds others with: audition evaluate register <name> <path>',
  )
