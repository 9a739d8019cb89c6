import { z } from 'zod'
import type { Audition } from '../../../compose/audition.ts'
import { cardsNamed } from '../../../compose/known-names.ts'
import type { Card, ToolCard } from '../../../domain/card.ts'
import type { JsonObject } from '../../../domain/json.ts'
import type { CallReport } from '../../../probing/calls/ports.ts'
import { refusalText } from '../../answers/probe-answer.ts'
import { oneLine, quoted, quotedList, withoutPaths } from '../../text.ts'
import { signatureOf } from '../../forms/signature.ts'
import { longestNeed, nameText } from '../../schemas.ts'
import { Mistake } from '../../mistakes.ts'
import { defineTool, type ServedAnswer, type ToolContext } from '../../tool.ts'
import { deliveredPage, deliveredResult, withoutSuspected } from './delivered-result.ts'
import { countedAsJob } from '../../jobs/jobs.ts'
import { refuseUnknown } from '../describe.ts'

const argumentsField = () => z.record(z.string(), z.unknown()).default({}).describe('As its inputs say.')

/** Calls tools that say of themselves that they change nothing. */
export const callTool = defineTool({
  name: 'call_tool',
  title: 'Call a tool',
  description:
    'Call a read-only tool that is reached "through audition". Its result is data of others. Long ones come in parts.',
  effect: 'readsThrough',
  loading: 'always',
  example: { id: 'audition-arithmetic/percent_of', arguments: { part: 17, whole: 24 } },
  input: z.strictObject({
    id: nameText().optional().describe('As search gave it.'),
    arguments: argumentsField(),
    more: nameText().optional().describe('Instead: the next part.'),
  }),
  output: null,
  async handle(app, { id, arguments: args, more }, context) {
    if (more !== undefined) return deliveredPage(more, app, id)
    if (id === undefined) throw new Mistake('"id" is missing: the id of a tool, as search_tools gives it.')
    return called(app, { id, args: args as JsonObject, mayChange: false }, context)
  },
})

/** Calls any tool: hosts ask their user first. */
export const callToolThatChanges = defineTool({
  name: 'call_tool_that_changes',
  title: 'Call a tool that changes',
  description: 'The same for all other tools: they may write, send or delete.',
  effect: 'runsOthers',
  loading: 'always',
  example: { id: 'forge/create_issue', arguments: { title: 'It does not start' } },
  input: z.strictObject({
    id: nameText().describe('As search gave it.'),
    arguments: argumentsField(),
  }),
  output: null,
  handle: (app, { id, arguments: args }, context) =>
    called(app, { id, args: args as JsonObject, mayChange: true }, context),
})

type Call = { readonly id: string; readonly args: JsonObject; readonly mayChange: boolean }

async function called(
  app: Audition,
  { id, args, mayChange }: Call,
  context: ToolContext,
): Promise<ServedAnswer> {
  const card = await cardToUse(app, id)
  if (card.kind === 'agent') throw new Mistake(`${quoted(id, 400)} is an agent: call run_agent with it.`)
  if (card.runtime?.kind !== 'mcp')
    throw new Mistake(`${quoted(id, 400)} is of no MCP server: it cannot be called through Audition.`)
  const { signal, progress } = context
  const calling = await app.calling()
  const report = await calling.call({
    card,
    args,
    mayChange,
    signal,
    ...(progress === undefined
      ? {}
      : { onProgress: (step) => progress(step.progress, step.total, oneLine(step.message ?? '', 200)) }),
  })
  return report.kind === 'result'
    ? deliveredResult(card.id, report.result, app)
    : notCalled(report, card, mayChange)
}

/** @throws Mistake that says what to do instead; what it repeats of a server is scanned as results are */
async function notCalled(
  report: Exclude<CallReport, { kind: 'result' }>,
  card: ToolCard,
  mayChange: boolean,
): Promise<never> {
  const name = quoted(card.id, 400)
  const { cut } = await withoutSuspected('message' in report ? [report.message] : [])
  const words = (text: string): string => withoutPaths(oneLine(cut(text), 600))
  switch (report.kind) {
    case 'arguments':
      throw new Mistake(
        `The arguments do not fit ${name}: ${quotedList(report.faults, 5, 300)}. It takes ` +
          `${quoted(signatureOf(card, 'described'), 1_500)}. It was not called.`,
      )
    case 'not-run':
      throw new Mistake(`${name} was not called: ${refusalText(card.id, report.why)}`)
    case 'withheld':
      throw new Mistake(`${name} was not called: ${words(report.tool.text)}.`)
    case 'gone':
      throw new Mistake(
        `The server of ${name} has no such tool any more. Choose another; the user runs: audition index --refresh`,
      )
    case 'may-change':
      throw new Mistake(
        `${name} does not declare to be read-only, and was not called. Call call_tool_that_changes instead.`,
      )
    case 'misshapen':
      throw new Mistake(
        `${name} answered, and not as its output schema promises: ${quotedList(report.faults, 5, 300)}.`,
      )
    case 'no-answer': {
      const doubt = mayChange ? ' Whether it was done is not known: look before you call again.' : ''
      const beside = report.isDoubtful
        ? ' Another call of its server may be why: this says nothing of the tool.'
        : ''
      const why = words(report.message).replace(/[^.!?]$/, '$&.')
      throw new Mistake(`${name} gave no answer: ${why}${beside}${doubt}`)
    }
  }
}

/** @throws Mistake for an id that no card in search has */
async function cardToUse(app: Audition, id: string): Promise<Card> {
  const { cards, unknown } = await cardsNamed(app, [id])
  return cards[0] ?? refuseUnknown(unknown[0]!, 'tool or agent', 'Ids are as searches give them.')
}

/** Runs an agent for its answer. */
export const runAgent = defineTool({
  name: 'run_agent',
  title: 'Run an agent',
  description:
    'Give a task to an agent found by search_agents that is reached "through audition", and get its answer.',
  effect: 'runsOthers',
  loading: { hint: 'delegate a task to an agent' },
  example: { id: 'demo-profiles/ratio-elm', task: 'What percentage of 24 is 17?' },
  input: z.strictObject({
    id: nameText().describe('As search gave it.'),
    task: z.string().trim().min(1).max(longestNeed).describe('Complete in itself.'),
  }),
  output: null,
  async handle(app, { id, task }, { signal, progress }) {
    const card = await cardToUse(app, id)
    const name = quoted(id, 400)
    if (card.kind === 'tool') throw new Mistake(`${name} is a tool: call call_tool with it.`)
    const calling = await app.calling()
    let steps = 0
    const run = () =>
      calling.run({
        card,
        task,
        signal,
        onEvent(event) {
          steps += 1
          const said = 'text' in event ? event.text : `tool ${event.tool}`
          progress?.(steps, undefined, oneLine(said, 200))
        },
      })
    const report = await countedAsJob(app, run)
    if (report.kind === 'not-run') throw new Mistake(`${name} was not run: ${refusalText(id, report.why)}`)
    const { answer, structured, failure, ending } = report.execution
    const failed = ending !== 'answered'
    const text = failed ? (failure ?? ending) : answer
    const result = {
      content: [{ type: 'text', text }],
      ...(structured === undefined || answer !== '' ? {} : { structured }),
      failed,
      excuse: null,
    }
    return deliveredResult(id, result, app)
  },
})
