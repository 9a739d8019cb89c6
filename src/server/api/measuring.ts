import { z } from 'zod'
import { toolsOfSource } from '../../compose/search-among.ts'
import type { EvaluationResult } from '../../evaluation/evaluations.ts'
import { nameText, needText } from '../schemas.ts'
import { ApiError } from './api-error.ts'
import { endpoint, nothing } from './endpoint.ts'
import { shownOnce } from './page-files.ts'
import type { EvaluatedView } from './job-results.ts'

/** Datasets and kept runs. */
export const evaluations = endpoint({
  does: 'Lists the datasets that can be run, and the runs that were kept, newest first.',
  effect: 'reads',
  input: nothing,
  async handle(_, { app }) {
    const all = await app.evaluations()
    const runs = await all.runs()
    return {
      datasets: await all.datasets(),
      runs: runs.slice(0, 200).map(({ place: _place, ...run }) => run),
    }
  },
})

/** Runs one: `audition evaluate`. */
export const evaluate = endpoint({
  does: 'Measures search on a dataset, and keeps the run with its report.',
  effect: 'changes',
  input: z.strictObject({
    dataset: nameText().describe('As `evaluations` lists it; self: your own index.'),
    limit: z.number().int().min(1).max(20_000).default(500).describe('Most queries.'),
  }),
  async handle({ dataset, limit }, { app, jobs }) {
    const all = await app.evaluations()
    const names = (await all.datasets()).map(({ name }) => name)
    if (!names.includes(dataset))
      throw new ApiError(404, `No dataset is called "${dataset}".`, `There are: ${names.join(', ')}.`)
    return jobs.start('evaluate', dataset, async ({ signal, tell }) =>
      inShort(
        dataset,
        await all.run({
          dataset: { kind: 'known', name: dataset },
          limit,
          signal,
          onProgress: ({ done, total }) => tell({ done, total }),
        }),
      ),
    )
  },
})

const inShort = (dataset: string, result: EvaluationResult): EvaluatedView =>
  result.kind === 'unasked'
    ? { dataset, failures: [], findings: result.findings }
    : {
        dataset,
        macro: result.run.macro,
        findings: result.findings ?? [],
        ...(result.kept === undefined ? {} : { run: result.kept.id }),
        failures: result.failures.map(({ message }) => message),
      }

/** The report of a run, at an address of its own: a page with scripts, which our own page holds off. */
export const report = endpoint({
  does: 'Gives the address of the report of a kept run. It can be opened once, within a minute.',
  effect: 'changes',
  input: z.strictObject({ dataset: nameText(), run: nameText() }),
  handle: async (id, { app }) => ({ address: shownOnce(await (await app.evaluations()).report(id)) }),
})

/** Language models by success and price: `audition models`. */
export const models = endpoint({
  does: 'Compares language models by what was seen of them and by price, for a task or over all tasks.',
  effect: 'reads',
  input: z.strictObject({
    task: needText().optional(),
    budget: z.coerce.number().positive().optional().describe('Most US dollars per million tokens.'),
    among: z.enum(['tried', 'callable', 'all']).default('tried'),
  }),
  handle: ({ task = null, budget, among }, { app }) =>
    app.models({ task, among, ...(budget === undefined ? {} : { budget }) }),
})

/** Whether hosts find the tools of a source: `audition findable`. */
export const findable = endpoint({
  does: 'Ranks the tools of a source among others as hosts do, and says which wording was measured to help.',
  effect: 'changes',
  who: 'owner',
  input: z.strictObject({
    source: nameText(),
    requests: z
      .array(z.strictObject({ request: z.string().min(1).max(2_000), tool: nameText() }))
      .max(1_000)
      .optional()
      .describe('What people ask, and the tool that serves it. Left out: made of the tools’ own words.'),
    written: z
      .number()
      .int()
      .min(1)
      .max(20)
      .optional()
      .describe('Requests per tool that the language model writes.'),
  }),
  async handle({ source, requests, written }, { app, jobs }) {
    const tools = await toolsOfSource(app, source)
    const asked = requests?.map(({ request, tool }) => {
      const places = tools.flatMap(({ name }, at) => (name === tool ? [at] : []))
      if (places.length > 0) return { text: request, tools: places }
      throw new ApiError(
        400,
        `"${source}" has no tool "${tool}".`,
        `It has: ${tools.map(({ name }) => name).join(', ')}.`,
      )
    })
    const wanted = asked ?? (written === undefined ? undefined : { perTool: written })
    return jobs.start('findable', source, ({ signal, tell }) =>
      app.findability({
        tools,
        among: 'typical',
        signal,
        onProgress: tell,
        ...(wanted === undefined ? {} : { requests: wanted }),
      }),
    )
  },
})
