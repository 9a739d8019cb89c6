import { z } from 'zod'
import { countedAsJob } from '../../jobs/jobs.ts'
import { refusalText } from '../../answers/probe-answer.ts'
import { oneLine, quoted } from '../../answers/text.ts'
import { longestNeed, nameText } from '../../forms/schemas.ts'
import { Mistake } from '../mistakes.ts'
import { defineTool } from '../tool.ts'
import { cardToUse } from './call-tool.ts'
import { deliveredResult } from './delivered-result.ts'

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
        ...{ card, task, signal },
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
      ...{ failed, excuse: null },
    }
    return deliveredResult(id, result, app)
  },
})
