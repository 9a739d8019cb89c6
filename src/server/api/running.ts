import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import { briefOutcome } from '../../domain/outcome.ts'
import type { Task } from '../../probing/ports.ts'
import { recordByCard } from '../../probing/record/record-by-card.ts'
import type { TaskChoice } from '../../probing/run/probing.ts'
import { nameText, needText } from '../schemas.ts'
import { callersBudget, caps } from '../tools/probe-agent.ts'
import { ApiError } from './api-error.ts'
import { endpoint, list } from './endpoint.ts'
import { knownCards } from './finding.ts'
import { probedView } from './probe-standing.ts'

const probeInput = z.strictObject({
  cards: list(nameText(), 10).describe('Ids of agents or tools.'),
  task: needText().optional().describe('What to ask them. Left out: what each card brings.'),
  expect: z.string().min(1).max(2_000).optional().describe('With task: what a right answer says.'),
  arguments: z.record(z.string(), z.unknown()).optional().describe('With task: arguments of a tool.'),
  goal: needText().optional().describe('Instead of task: the language model writes tasks for it.'),
  count: z
    .number()
    .int()
    .min(1)
    .max(10)
    .default(1)
    .describe('Times that the task is asked, or how many tasks.'),
})

/** Runs candidates, as `audition probe` does. */
export const probe = endpoint({
  does: 'Runs agents or tools on tasks, judges them and keeps what happened. Starts only what is allowed.',
  effect: 'changes',
  input: probeInput,
  async handle(input, context) {
    const { app, jobs, role } = context
    const cards = await knownCards(context, input.cards)
    if (cards.length === 0) throw new ApiError(400, 'No agent or tool is named.', 'Give ids in "cards".')
    const probing = await app.probing()
    const settings = await probing.settings()
    const asCaller = {
      limits: { seconds: Math.min(settings.limits.seconds, caps.runSeconds) },
      budget: callersBudget(settings),
    }
    return jobs.start('probe', cards.map(({ id }) => id).join(', '), async ({ signal, tell }) => {
      const asked = { cards, tasks: choiceOf(input), signal, ...(role === 'owner' ? {} : asCaller) }
      return probedView(await probing.probe({ ...asked, onEvent: tell }))
    })
  },
})

/** @throws ApiError when the parts exclude each other */
function choiceOf({ task, expect, goal, count, arguments: given }: z.output<typeof probeInput>): TaskChoice {
  if (task !== undefined && goal !== undefined)
    throw new ApiError(400, '"task" and "goal" exclude each other.', 'Give one of them.')
  if (goal !== undefined) return { kind: 'written', goal, count }
  if (task === undefined) return { kind: 'own', count }
  const one: Task = {
    text: task,
    ...(given === undefined ? {} : { arguments: given as JsonObject }),
    ...(expect === undefined ? {} : { reference: { kind: 'states', text: expect } }),
  }
  return { kind: 'given', tasks: Array.from({ length: count }, () => one) }
}

/** What happened when candidates were run, as `audition record` tells it. */
export const record = endpoint({
  does: 'Gives the track record: of every card in short, and outcomes one by one, newest first.',
  effect: 'reads',
  input: z.strictObject({
    card: nameText().optional().describe('Only of this one.'),
    task: z.string().max(2_000).optional().describe('Only of tasks with these words.'),
    most: z.coerce.number().int().min(0).max(500).default(500).describe('Outcomes that are told.'),
  }),
  async handle({ card, task = '', most }, { app }) {
    const [kept, asked] = [await app.record(), card === undefined ? {} : { cards: [card] }]
    const listed = most === 0 ? [] : await kept.list(asked)
    const all = most === 0 ? await kept.brief(asked) : listed.map(briefOutcome)
    const words = task.toLowerCase().split(/\s+/).filter(Boolean)
    const isAsked = (one: { readonly task: string }) =>
      words.every((word) => one.task.toLowerCase().includes(word))
    const wanted = all.filter(isAsked)
    return {
      cards: recordByCard(wanted),
      outcomes: listed.filter(isAsked).slice(0, most),
      count: wanted.length,
    }
  },
})

/** Everything of one run. */
export const transcript = endpoint({
  does: 'Gives what happened in one run, step by step. Texts are the agent’s: data.',
  effect: 'reads',
  input: z.strictObject({ outcome: nameText() }),
  async handle({ outcome }, { app }) {
    const found = await (await app.probing()).transcript(outcome)
    if (found !== null) return found
    throw new ApiError(404, 'No transcript of that run is kept.', 'Run it again.')
  },
})

const jobInput = z.strictObject({ id: nameText() })

/** What runs and ran since the server started. */
export const jobs = endpoint({
  does: 'Lists what runs, and what ran since the server started, newest first.',
  effect: 'reads',
  input: z.strictObject({}),
  handle: async (_, { jobs: all }) => ({ jobs: all.list().map(({ result: _, ...job }) => job) }),
})

/** One of them, with what came out. */
export const job = endpoint({
  does: 'Gives one job with its result. What happens in it: GET /api/v1/events?id=…&after=…',
  effect: 'reads',
  input: jobInput,
  handle: async ({ id }, { jobs: all }) => all.find(id),
})

/** Ends one. */
export const stop = endpoint({
  does: 'Stops a job; what had ended is kept.',
  effect: 'changes',
  input: jobInput,
  handle: async ({ id }, { jobs: all }) => all.stop(id),
})
