import { z } from 'zod'
import { printable } from '../../../domain/text/printable.ts'
import { maskSecrets } from '../../../domain/text/secrets.ts'
import { AgentFailure, type Answer, type BoundedRun } from '../../../probing/run/bounded-execution.ts'
import { type Execution, type ExecutionLimits, RuntimeError } from '../../../probing/ports.ts'
import { type ProgramRun, unansweredEnd } from '../../command/run-program.ts'

/** What is no count is as if it were not told. */
const count = z.int().nonnegative().optional().catch(undefined)

/**
 * What Claude Code prints in print mode with `--output-format json`: one object, or the list of all messages with it last.
 *
 * @see https://code.claude.com/docs/en/headless
 */
const resultSchema = z.looseObject({
  type: z.literal('result'),
  subtype: z.string().optional(),
  is_error: z.boolean().optional(),
  result: z.string().optional(),
  num_turns: z.number().optional(),
  total_cost_usd: z.number().nonnegative().optional(),
  usage: z
    .looseObject({
      input_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
      output_tokens: count,
    })
    .optional(),
})
type ClaudeResult = z.output<typeof resultSchema>

/** The message with which a session begins. */
const initSchema = z.looseObject({
  type: z.literal('system'),
  subtype: z.literal('init'),
  tools: z.array(z.string()),
  mcp_servers: z.array(z.looseObject({ name: z.string(), status: z.string() })).catch([]),
})

/** Tells of tools whose server did not come up, or has them not. Of one that still connects as it begins nothing is known. */
export function tellAbsent(run: ProgramRun, allowed: readonly string[], bounds: BoundedRun): void {
  const [first] = messagesIn(run.stdout)
  const init = initSchema.safeParse(first)
  if (allowed.length === 0 || !init.success) return
  const { tools, mcp_servers: servers } = init.data
  const missing = allowed.filter((tool) => {
    const server = servers.find(({ name }) => tool === `mcp__${name}` || tool.startsWith(`mcp__${name}__`))
    if (server === undefined || server.status === 'pending') return false
    return (
      server.status !== 'connected' || !tools.some((name) => name === tool || name.startsWith(`${tool}__`))
    )
  })
  if (missing.length > 0)
    bounds.tell({ kind: 'status', text: `tools not attached: ${missing.join(', ')}`, missing })
}

type ClaudeEnd = Pick<Execution, 'ending' | 'failure'> & { readonly answer?: string }

/** @throws AgentFailure when it gave none */
export function answerOf(run: ProgramRun, bounds: BoundedRun, secrets: readonly string[]): Answer {
  const log = run.stderr.masked(secrets)
  const result = run.end.kind === 'exited' ? resultIn(run.stdout) : undefined
  const tokens = result === undefined ? null : tokensOf(result)
  if (tokens !== null) bounds.countTokens(tokens.input, tokens.output)
  if (result?.total_cost_usd !== undefined) bounds.countCost(result.total_cost_usd)
  const {
    ending,
    failure,
    answer = '',
  } = result === undefined ? endWithout(run.end, bounds) : endOfResult(result, bounds.limits)
  if (log !== '') bounds.tell({ kind: 'log', text: log })
  if (failure !== null) throw new AgentFailure(maskSecrets(printable(failure), secrets), ending)
  const text = printable(answer)
  bounds.tell({ kind: 'message', text })
  return { text }
}

function endWithout(end: ProgramRun['end'], bounds: BoundedRun): ClaudeEnd {
  const { ending, failure } = unansweredEnd(end, bounds)
  const isExit = end.kind === 'exited' && ending === 'failed'
  return { ending, failure: isExit ? `${failure}, and gave no result` : failure }
}

function endOfResult(result: ClaudeResult, { steps, tokens }: ExecutionLimits): ClaudeEnd {
  const limit = (failure: string): ClaudeEnd => ({ ending: 'limit', failure })
  const failed = (failure: string): ClaudeEnd => ({ ending: 'failed', failure })
  const said = result.result?.trim() ?? ''
  const used = tokensOf(result)
  if (result.subtype === 'error_max_turns') {
    return limit(`it was not done after ${result.num_turns ?? steps} turns`)
  }
  if (result.subtype === 'error_max_budget_usd') return limit('it cost more than its limit')
  if (tokens !== null && used !== null && used.input + used.output > tokens) {
    return limit(`it used more than ${tokens.toLocaleString('en')} tokens`)
  }
  if (result.is_error === true) {
    if (/\/login\b|invalid api key/i.test(said)) throw notLoggedIn()
    return failed(said || `it failed (${result.subtype ?? 'no reason given'})`)
  }
  return said === '' ? failed('it answered nothing') : { ending: 'answered', failure: null, answer: said }
}

const notLoggedIn = (): RuntimeError =>
  new RuntimeError('Claude Code is not logged in', 'Run `claude` once and log in, or set ANTHROPIC_API_KEY.')

function resultIn(stdout: Buffer): ClaudeResult | undefined {
  const read = resultSchema.safeParse(messagesIn(stdout).at(-1))
  return read.success ? read.data : undefined
}

/** None where it is no JSON. */
function messagesIn(stdout: Buffer): readonly unknown[] {
  try {
    const printed: unknown = JSON.parse(stdout.toString('utf8'))
    return Array.isArray(printed) ? printed : [printed]
  } catch {
    return []
  }
}

/** What the cache held was read by the model too. */
function tokensOf({ usage }: ClaudeResult): Execution['tokens'] {
  if (usage === undefined) return null
  const { input_tokens = 0, cache_creation_input_tokens = 0, cache_read_input_tokens = 0 } = usage
  return {
    input: input_tokens + cache_creation_input_tokens + cache_read_input_tokens,
    output: usage.output_tokens ?? 0,
  }
}
