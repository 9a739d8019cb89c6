import { z } from 'zod'
import type { Audition } from '../../audition.ts'
import { evaluateOutput } from '../evaluation-schema.ts'
import { type EvaluationJob, type EvaluationJobs, evaluationJobs } from '../evaluation-jobs.ts'
import { withoutPaths } from '../machine-paths.ts'
import { Mistake } from '../mistakes.ts'
import { quoted, quotedList } from '../quoted-text.ts'
import { defineTool, type ToolAnswer, type ToolContext } from '../tool.ts'

/** Longest time a run may take, in milliseconds, however often it is asked for. */
const longestMs = 600_000
/** Least time between two progress messages, in milliseconds. */
const progressEveryMs = 250

/** Every server over one Audition shares its evaluations: over HTTP there is a server per request. */
const jobsByApp = new WeakMap<Audition, EvaluationJobs>()

function jobsOf(app: Audition): EvaluationJobs {
  const known = jobsByApp.get(app)
  if (known !== undefined) return known
  const jobs = evaluationJobs(longestMs)
  jobsByApp.set(app, jobs)
  return jobs
}

/** Measures search on a dataset that the user allowed by name. */
export const evaluateSearch = defineTool({
  name: 'evaluate',
  title: 'Evaluate search',
  description:
    'Measure how well search finds tools and agents, on a dataset of judged queries. Call it to compare rankers, or ' +
    'with dataset "self" to learn which indexed cards cannot be found and how to mend them. Returns measures with ' +
    '95% intervals and a link to the report. A long run answers state "running": call again with its run_id.',
  effect: 'keepsRecords',
  example: { dataset: 'bundled', limit: 100 },
  input: z.strictObject({
    dataset: z
      .string()
      .min(1)
      .optional()
      .describe('"bundled", "self" (the index itself), or a name that the user registered. Not a path.'),
    ranker: z
      .enum(['auto', 'lexical', 'dense', 'hybrid', 'rrf', 'learned', 'cross-encoder'])
      .optional()
      .describe('Default auto.'),
    limit: z.int().min(1).max(20_000).default(500).describe('Most queries, spread evenly. 1 to 20000.'),
    compare: z
      .string()
      .min(1)
      .optional()
      .describe('An earlier run of the dataset by name, or "latest": adds differences with p-values.'),
    max_seconds: z.int().min(1).max(300).default(25).describe('Longest wait for this answer. 1 to 300.'),
    run_id: z
      .string()
      .min(1)
      .optional()
      .describe('Of a running evaluation: waits for it; all else is ignored.'),
  }),
  output: evaluateOutput,
  async handle(app, input, context) {
    const jobs = jobsOf(app)
    const waitMs = input.max_seconds * 1000
    if (input.run_id !== undefined) return waitFor(jobFor(jobs, input.run_id), waitMs, context)
    const evaluations = await app.evaluations()
    const names = (await evaluations.datasets()).map(({ name }) => name)
    const { dataset } = input
    if (dataset === undefined || !names.includes(dataset)) throw unknownDataset(dataset, names)
    const [{ answerTokens }, { evaluationAnswer }] = await Promise.all([
      import('../answer-tokens.ts'),
      import('../evaluation-answer.ts'),
    ])
    const job: EvaluationJob = jobs.start(dataset, async (watch) => {
      const result = await evaluations.run({
        dataset: { kind: 'known', name: dataset },
        limit: input.limit,
        answerTokens,
        ...watch,
        ...(input.ranker === undefined ? {} : { ranker: input.ranker }),
        ...(input.compare === undefined ? {} : { compare: input.compare }),
      })
      return evaluationAnswer(job.id, result)
    })
    const giveUp = (): void => job.stop(new Mistake('The evaluation was cancelled by its caller.'))
    context.signal.addEventListener('abort', giveUp)
    try {
      return await waitFor(job, waitMs, context)
    } finally {
      context.signal.removeEventListener('abort', giveUp)
    }
  },
})

const unknownDataset = (dataset: string | undefined, names: readonly string[]): Mistake =>
  new Mistake(
    `${dataset === undefined ? '"dataset" is missing.' : `No dataset is called ${quoted(dataset)}.`} ` +
      `Datasets: ${quotedList(names, 20)}. Example: evaluate ${JSON.stringify({ dataset: names[0] })}. ` +
      'The user adds others with: audition evaluate register <name> <path>',
  )

function jobFor(jobs: EvaluationJobs, id: string): EvaluationJob {
  const job = jobs.find(id)
  if (job !== undefined) return job
  throw new Mistake(
    `No evaluation has the run_id ${quoted(id)}: it is of another session, or long gone. ` +
      'Call evaluate with a dataset to run it again; what was finished is kept.',
  )
}

/** Waits for a job, but not for ever; when its time is up, the answer says how to ask again. */
async function waitFor(job: EvaluationJob, waitMs: number, context: ToolContext): Promise<ToolAnswer> {
  const stopTelling = tellProgress(job, context)
  try {
    await firstOf(job.ended, waitMs, context.signal)
  } finally {
    stopTelling()
  }
  const outcome = job.outcome()
  if (outcome === undefined) return runningAnswer(job)
  if ('answer' in outcome) return outcome.answer
  throw toMistake(outcome.error)
}

function tellProgress(job: EvaluationJob, { progress }: ToolContext): () => void {
  if (progress === undefined) return () => undefined
  let told = Number.NEGATIVE_INFINITY
  return job.watch(({ part, done, total }) => {
    const now = performance.now()
    if (done < total && now - told < progressEveryMs) return
    told = now
    progress(done, total, `${part}: ${done} of ${total} queries`)
  })
}

/** Resolves when the job ends, the time is up or the caller gives up, whichever comes first. */
function firstOf(ended: Promise<void>, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, waitMs)
    signal.addEventListener('abort', finish)
    ended.then(finish, finish)
  })
}

function runningAnswer(job: EvaluationJob): ToolAnswer {
  const { done = 0, total = 0, secondsLeft = null } = job.progress() ?? {}
  const next = `Call evaluate ${JSON.stringify({ run_id: job.id })} to wait for it.`
  return {
    text: `Running: ${done} of ${total} queries of ${job.dataset}. ${next}`,
    structured: {
      state: 'running',
      run_id: job.id,
      dataset: job.dataset,
      done,
      total,
      ...(secondsLeft === null ? {} : { seconds_left: Math.ceil(secondsLeft) }),
      next,
    },
  }
}

/** Errors that name their remedy are no accidents: they are told in full, without the paths of this machine. */
function toMistake(error: unknown): unknown {
  if (!(error instanceof Error) || !('remedy' in error) || typeof error.remedy !== 'string') return error
  return new Mistake(withoutPaths(`${error.message} ${error.remedy}`), { cause: error })
}
