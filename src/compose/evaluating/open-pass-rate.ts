import { randomUUID } from 'node:crypto'
import { type Toolset, toolsetExecutor } from '../../adapters/ai-sdk/agents/toolset-executor.ts'
import { callResultOf } from '../../adapters/mcp-client/call-result.ts'
import type { Config } from '../../config.ts'
import type { AgentCard } from '../../domain/card.ts'
import { gradeOf, isSuccess, reasonOf } from '../../domain/outcome.ts'
import { RemedyError, errorText } from '../../domain/remedy-error.ts'
import { maskTokens } from '../../domain/text/secrets.ts'
import { LanguageModelError } from '../../evaluation/evaluation-settings.ts'
import { passRates } from '../../evaluation/pass-rate.ts'
import { packageVersion } from '../../package-version.ts'
import type { JudgePanel } from '../../probing/judges/combine-judges.ts'
import type { Executor, Task } from '../../probing/ports.ts'
import { probe } from '../../probing/run/probe.ts'
import type { ProbeReport } from '../../probing/run/probe-report.ts'
import { given, type Settings } from '../../probing/settings/settings.ts'
import { readSettings } from '../../probing/settings/settings-file.ts'
import { realAnswer } from '../../simulating/keep-calls.ts'
import type { ToolAnswer } from '../../simulating/ports.ts'
import type { Audition } from '../audition.ts'
import { catalogFolder } from '../folders.ts'
import { languageModelWith } from '../language-models.ts'
import { allowedOf, type Chosen, completenessOf, toolsOf } from './chosen-tools.ts'
import type { PassRateReport, PassRateRequest, ToolsetName, ToolTask } from '../pass-rating.ts'

type App = Pick<Audition, 'calling' | 'cards' | 'judge' | 'probing' | 'search' | 'simulatedServer'>

/** The part of the composition root that lets the configured model do tasks with tools, and counts what it solves. */
export const openPassRates =
  (config: Config, app: App) =>
  async (request: PassRateRequest): Promise<PassRateReport> => {
    const settings = await readSettings(config.settings)
    const languageModel = languageModelWith(config, settings)
    if (languageModel === null)
      throw new LanguageModelError(
        'Tasks are done by a language model, and none is configured.',
        'Set AUDITION_LLM, for example AUDITION_LLM=ollama:qwen3:8b.',
      )
    const wanted = await toolsOf(request, app)
    const { chosen, leftOut } = request.simulate
      ? { chosen: wanted, leftOut: [] }
      : await allowedOf(wanted, request, app)
    const invented = new Set<Task>()
    const callerFor = request.simulate
      ? simulatedCalls(app, (task) => invented.add(task))
      : realCalls(request, await app.calling())
    const surroundings = {
      catalogFolder,
      languageModel,
      prices: settings.prices,
      environment: config.environment,
      version: packageVersion(),
    }
    const executor = toolsetExecutor(surroundings, async (name, task) => ({
      tools: chosen.get(task)?.[name as ToolsetName] ?? [],
      call: await callerFor(task),
    }))
    const report = await probeToolsets(request, settings, { executor, judge: await app.judge() })
    const { tasks, toolsets } = request
    const runs = runsOf(report, tasks, chosen)
    const { stopped, left, spent } = report
    return {
      model: languageModel.spec,
      servers: request.simulate ? 'simulated' : 'real',
      stopped,
      left,
      spent,
      runs,
      ...passRates(runs),
      leftOut,
      knownAnswers: [...invented].filter(({ reference }) => reference !== undefined).length,
      completeness: toolsets.includes('retrieved') ? completenessOf(wanted) : null,
    }
  }

/**
 * Probes each way of choosing tools as a candidate, and records nothing.
 *
 * @throws RemedyError when the model cannot be run as things stand
 */
async function probeToolsets(
  { tasks, toolsets, limits = {}, budget = {}, signal, onEvent }: PassRateRequest,
  settings: Settings,
  { executor, judge }: { readonly executor: Executor; readonly judge: JudgePanel },
): Promise<ProbeReport> {
  const report = await probe(
    {
      candidates: toolsets.map((name) => ({ card: standIn(name), tasks })),
      limits: { ...settings.limits, ...given(limits) },
      budget: { ...settings.budget, ...given(budget) },
      concurrency: settings.concurrency,
      ...(signal === undefined ? {} : { signal }),
      ...(onEvent === undefined ? {} : { onEvent }),
    },
    {
      executors: [executor],
      judge,
      // The model is the one that the user configured and asked to run now; servers ask for their own leave.
      allow: { missing: () => [], changed: () => [] },
      record: null,
      transcripts: null,
      hostSeconds: 0,
      now: () => new Date(),
      newId: randomUUID,
    },
  )
  const broken = report.candidates.find(({ notRun }) => notRun !== null && notRun.kind !== 'no-task')?.notRun
  if (broken?.kind === 'runtime') throw new RemedyError(`${broken.message}.`, broken.remedy)
  return report
}

function runsOf(
  { candidates }: ProbeReport,
  tasks: readonly ToolTask[],
  chosen: Chosen,
): PassRateReport['runs'] {
  const byText = new Map(tasks.map((task) => [maskTokens(task.text), task]))
  return candidates.flatMap(({ card, runs }) =>
    runs.map(({ outcome, answer }) => {
      const { verdict, task, ending, tokens, cost } = outcome
      return {
        task,
        tokens,
        cost,
        answer,
        toolset: card,
        isSolved: gradeOf(verdict) === null ? null : isSuccess(verdict),
        isLimited: ending === 'limit',
        tools: (chosen.get(byText.get(task)!)?.[card as ToolsetName] ?? []).map(({ id }) => id),
        grade: gradeOf(verdict),
        reason: verdict === null ? null : reasonOf(verdict),
      }
    }),
  )
}

/** Servers stay open between calls. */
function realCalls({ mayChange = false }: PassRateRequest, calling: Awaited<ReturnType<App['calling']>>) {
  const call: Toolset['call'] = (card, args, signal) =>
    answerOf(async () => realAnswer(await calling.call({ card, args, mayChange, signal })), signal)
  return async () => call
}

/** Each run is a session of its own: what it creates is there for it alone. @param onInvented - told of a task for which an answer was no recorded one */
function simulatedCalls(
  app: App,
  onInvented: (task: Task) => void,
): (task: Task) => Promise<Toolset['call']> {
  const servers = new Map<string, ReturnType<App['simulatedServer']>>()
  return async (task) => {
    const sessions = new Map<string, ReturnType<Awaited<ReturnType<App['simulatedServer']>>['session']>>()
    return (card, args, signal) =>
      answerOf(async () => {
        const server = servers.get(card.source) ?? app.simulatedServer(card.source)
        servers.set(card.source, server)
        const session = sessions.get(card.source) ?? (await server).session()
        sessions.set(card.source, session)
        const answer = await session.call(card.name, args, { signal })
        if (answer.from !== 'real') onInvented(task)
        return answer
      }, signal)
  }
}

/** What a call gave in words for the model, whatever came of it. */
async function answerOf(call: () => Promise<ToolAnswer>, signal: AbortSignal): ReturnType<Toolset['call']> {
  try {
    const { content, structured, failed } = await call()
    return callResultOf({ content: [...content], structuredContent: structured, isError: failed })
  } catch (error) {
    signal.throwIfAborted()
    return { text: errorText(error), failed: true }
  }
}

/** A way of choosing tools, as a candidate. */
const standIn = (name: ToolsetName): AgentCard => ({
  kind: 'agent',
  agentKind: 'profile',
  id: name,
  source: 'pass-rate',
  name,
  description: '',
  examples: [],
  tags: [],
  backbone: null,
  tools: [],
  policy: {},
  provenance: { reader: 'pass-rate', location: '' },
})
