import { z } from 'zod'
import type { Progress } from '../../domain/progress.ts'
import type { Audition } from '../../compose/audition.ts'
import type { Card } from '../../domain/card.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Budget } from '../../probing/budget.ts'
import type { TaskChoice } from '../../probing/run/probing.ts'
import type { Settings } from '../../probing/settings/settings.ts'
import { cardsNamed } from '../../compose/known-names.ts'
import { deliveredReport, planAnswer, probeAnswer, probeWords } from '../answers/probe-answer.ts'
import { quotedList } from '../text.ts'
import { longestNeed, nameText } from '../schemas.ts'
import { awaitJob, type Job, type JobKind, knownJob, sharedJobs } from '../jobs/jobs.ts'
import { Mistake } from '../mistakes.ts'
import { defineTool } from '../tool.ts'
import { refuseUnknown } from './describe.ts'

/** What `probe_agent` answers. Which fields there are follows from `state`. */
const probeOutput = z.looseObject({ state: z.enum(['planned', 'running', 'done']) })

/** What a host's model gets at most, whatever it asks for; the user's settings may allow less. */
export const caps = { agents: 5, tasks: 5, runSeconds: 60, seconds: 300, tokens: 200_000 } as const

const kind: JobKind = {
  tool: 'probe_agent',
  noun: 'probe',
  smaller: 'Call probe_agent again with fewer agents.',
  again: 'Call probe_agent with agents to run it again; what ended is in the track record.',
}

/** A probe ends by its own budget; this is for one that does not. */
const jobsFor = sharedJobs<Progress>(kind, (caps.seconds + 60) * 1000)

/** Runs candidates, as far as the user allows, and tells how well they did. */
export const probeAgent = defineTool({
  name: 'probe_agent',
  title: 'Probe agents',
  description:
    'Run agents or tools on a task and grade their answers: descriptions do not tell which one works. Without a task ' +
    'they get what their cards bring. Starts only what the user allowed.',
  effect: 'runsOthers',
  loading: { hint: 'run and grade agents' },
  example: { agents: ['audition-arithmetic/percent_of', 'audition-calendar/add_to_date'] },
  input: z.strictObject({
    agent: nameText().optional().describe('Id of an agent or tool.'),
    agents: z.array(nameText()).max(caps.agents).optional().describe(`Up to ${caps.agents}, to compare.`),
    task: z.string().min(1).max(longestNeed).optional().describe('What to ask, complete in itself.'),
    arguments: z.record(z.string(), z.unknown()).optional().describe('With task: arguments of a tool.'),
    goal: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .describe("Instead of task: the user's model writes tasks for it."),
    tasks: z.int().min(1).max(caps.tasks).default(2).describe('How many, without task.'),
    budget: z
      .strictObject({
        seconds: z.number().min(1).max(caps.seconds).optional(),
        tokens: z.int().min(1).optional(),
        usd: z.number().positive().optional(),
      })
      .optional()
      .describe('For all runs together; the user may have set less.'),
    dry_run: z.boolean().default(false).describe('Only tell what would start.'),
    max_seconds: z.int().min(1).max(caps.seconds).default(25).describe('Longest wait.'),
    run_id: nameText().optional().describe('Of a running probe.'),
    stop: z.boolean().optional().describe('Ends run_id.'),
  }),
  output: probeOutput,
  async handle(app, input, context) {
    const jobs = jobsFor(app)
    const waitMs = input.max_seconds * 1000
    const known = knownJob(jobs, input)
    if (known !== null) return awaitJob(known, probeWords, { waitMs, context })
    const tasks = choiceOf(input)
    const cards = await cardsFor(app, [
      ...(input.agent === undefined ? [] : [input.agent]),
      ...(input.agents ?? []),
    ])
    const probing = await app.probing()
    if (input.dry_run) return planAnswer(await probing.plan({ cards, tasks }))
    const settings = await probing.settings()
    const job: Job<Progress> = jobs.start(subjectOf(cards), async ({ signal, onProgress }) => {
      const report = await probing.probe({
        cards,
        tasks,
        limits: { seconds: Math.min(settings.limits.seconds, caps.runSeconds) },
        budget: callersBudget(settings, input.budget),
        signal,
        onEvent: ({ done, total }) => onProgress({ done, total }),
      })
      return probeAnswer(job.id, await deliveredReport(report))
    })
    const gaveUp = 'The probe was cancelled by its caller.'
    return awaitJob(job, probeWords, { waitMs, context, gaveUp })
  },
})

type Asked = {
  readonly task?: string | undefined
  readonly goal?: string | undefined
  readonly arguments?: { readonly [name: string]: unknown } | undefined
  readonly tasks: number
}

/** @throws Mistake when arguments exclude each other */
function choiceOf({ task, goal, arguments: given, tasks }: Asked): TaskChoice {
  if (task !== undefined && goal !== undefined) throw new Mistake('Give "task" or "goal", not both.')
  if (task === undefined && given !== undefined) {
    throw new Mistake('"arguments" goes with "task": say in plain words what the call is for.')
  }
  if (goal !== undefined) return { kind: 'written', goal, count: tasks }
  if (task === undefined) return { kind: 'own', count: tasks }
  const call = given === undefined ? {} : { arguments: given as JsonObject }
  return { kind: 'given', tasks: [{ text: task, ...call }] }
}

/** @throws Mistake naming the ids that are not known, with the closest that are */
async function cardsFor(app: Audition, asked: readonly string[]): Promise<readonly Card[]> {
  const ids = [...new Set(asked)]
  if (ids.length === 0) {
    throw new Mistake(
      '"agents" is missing. Call search_agents to find ids, then probe_agent {"agents": [...]}.',
    )
  }
  if (ids.length > caps.agents) throw new Mistake(`At most ${caps.agents} agents are probed at once.`)
  const { cards, unknown } = await cardsNamed(app, ids)
  const [first] = unknown
  return first === undefined
    ? cards
    : refuseUnknown(first, 'agent or tool', 'Call search_agents to find ids.')
}

const subjectOf = (cards: readonly Card[]): string =>
  quotedList(
    cards.map(({ id }) => id),
    3,
  )

type AskedBudget = {
  readonly seconds?: number | undefined
  readonly tokens?: number | undefined
  readonly usd?: number | undefined
}

/** The least of what is asked for, what the user set, and what a model may have at most. */
export function callersBudget({ budget }: Settings, { seconds, tokens, usd }: AskedBudget = {}): Budget {
  const least = (...amounts: readonly (number | null | undefined)[]): number | null => {
    const given = amounts.filter((amount) => amount !== null && amount !== undefined)
    return given.length === 0 ? null : Math.min(...given)
  }
  return {
    seconds: least(seconds, budget.seconds, caps.seconds),
    tokens: least(tokens, budget.tokens, caps.tokens),
    cost: least(usd, budget.cost),
  }
}
