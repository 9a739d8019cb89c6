import { type LanguageModelMiddleware, extractReasoningMiddleware, wrapLanguageModel } from 'ai'
import type { BoundedRun } from '../../../probing/run/bounded-execution.ts'
import type { OpenModel } from './providers.ts'

/** What is done with each turn of a model. */
export type ModelFollower = {
  readonly run: BoundedRun
  /** What a turn's tokens cost; undefined when nobody knows. */
  readonly costOf: (tokens: { readonly input: number; readonly output: number }) => number | undefined
}

/**
 * The same model, whose turns are told and counted as they come: words as messages, warnings once each, tokens and their
 * cost. It stops the run when they are too many. Thinking between `<think>` marks is no part of an answer.
 */
export function followedModel(model: OpenModel, { run, costOf }: ModelFollower): OpenModel {
  const { tokens, cost } = run.limits
  const reported = new Set<string>()
  const used = { tokens: 0, cost: 0 }
  const follow: LanguageModelMiddleware = {
    specificationVersion: 'v3',
    async wrapGenerate({ doGenerate }) {
      const result = await doGenerate()
      const turn = {
        input: result.usage.inputTokens.total ?? 0,
        output: result.usage.outputTokens.total ?? 0,
      }
      const dollars = costOf(turn)
      if (turn.input + turn.output > 0) run.countTokens(turn.input, turn.output)
      if (dollars !== undefined) run.countCost(dollars)
      used.tokens += turn.input + turn.output
      used.cost += dollars ?? 0
      for (const warning of result.warnings.map(textOfWarning)) {
        if (reported.has(warning)) continue
        reported.add(warning)
        run.tell({ kind: 'status', text: warning })
      }
      const said = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
      if (said.trim() !== '') run.tell({ kind: 'message', text: said })
      if (tokens !== null && used.tokens > tokens) {
        run.stopAtLimit(`it used more than ${tokens.toLocaleString('en')} tokens`)
      }
      if (cost !== null && used.cost > cost) run.stopAtLimit(`it cost more than $${cost}`)
      return result
    },
  }
  const middleware = [follow, extractReasoningMiddleware({ tagName: 'think' })]
  return wrapLanguageModel({ model: model as Parameters<typeof wrapLanguageModel>[0]['model'], middleware })
}

type Turn = Awaited<
  ReturnType<Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0]['doGenerate']>
>

function textOfWarning(warning: Turn['warnings'][number]): string {
  if (warning.type === 'other') return `of the model's provider: ${warning.message}`
  const how = warning.type === 'unsupported' ? 'does not support' : 'supports in part only'
  return `the model ${how} ${warning.feature}${warning.details === undefined ? '' : `: ${warning.details}`}`
}
