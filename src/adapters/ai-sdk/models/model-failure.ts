import { APICallError, InvalidResponseDataError, RetryError } from 'ai'
import { z } from 'zod'
import { maskSecrets } from '../../../domain/text/secrets.ts'
import { UnreachableError } from '../../../probing/run/bounded-fetch.ts'
import { RuntimeError } from '../../../probing/ports.ts'
import { reportedCount } from '../../../retrieval/rank/spending.ts'

/**
 * What a failed call of a model means. Its provider's refusals and breakdowns say nothing of the agent that runs on it: the
 * card cannot be run as things stand. A request that is refused after others were answered is the agent's doing, for
 * example a conversation that outgrew the model.
 *
 * @param hadAnswers - whether the model has answered before in this execution
 * @returns a RuntimeError, or the error itself when it is the agent's
 */
export function modelFailure(
  error: unknown,
  { spec, key, hadAnswers }: { readonly spec: string; readonly key?: string; readonly hadAnswers: boolean },
): unknown {
  if (error instanceof UnreachableError) {
    return new RuntimeError(`${spec} cannot be asked: ${error.message}`, remedyFor(undefined), {
      cause: error,
    })
  }
  const call = callError(error)
  if (call === undefined || (hadAnswers && isRefusedRequest(call.statusCode))) return error
  return new RuntimeError(
    maskSecrets(`${spec} cannot be asked: ${reasonOf(call)}`, key === undefined ? [] : [key]),
    remedyFor(call.statusCode),
    { cause: error },
  )
}

/** The answer of an endpoint in one line, with its status. */
export function reasonOf({ message, statusCode, responseBody }: APICallError): string {
  if (statusCode === undefined) return message
  const said = message || responseBody || ''
  return `HTTP ${statusCode}${said === '' ? '' : `, ${said.replace(/\s+/g, ' ').slice(0, 500)}`}`
}

/** The call that failed, under however many retries. */
export function callError(error: unknown): APICallError | undefined {
  const last = RetryError.isInstance(error) ? error.lastError : error
  return APICallError.isInstance(last) ? last : undefined
}

const isRefusedRequest = (status: number | undefined): boolean =>
  status !== undefined && status >= 400 && status < 500 && ![401, 403, 404, 408, 429].includes(status)

function remedyFor(status: number | undefined): string {
  if (status === undefined) return 'Check the address in AUDITION_LLM, and that the endpoint runs.'
  if (status === 401 || status === 403) return 'Check AUDITION_LLM_KEY.'
  if (status === 404) return 'Check the address and the model in AUDITION_LLM.'
  if (status === 429 || status >= 500) return 'Try again later.'
  return 'Check that the model takes tools and the settings of the policy, or set AUDITION_LLM to another.'
}

/** Whether it was answered, with something that is no whole answer of a language model. */
export const isUnusableAnswer = (error: unknown): boolean =>
  InvalidResponseDataError.isInstance(error) || (callError(error)?.statusCode ?? 400) < 400

const usageShape = z.looseObject({
  usage: z.record(z.string(), z.unknown()).nullish(),
  usageMetadata: z.record(z.string(), z.unknown()).nullish(),
})

/** What an answer that cannot be used says that it took, in the words of any provider. */
export function tokensOfFailure(error: unknown): { input: number; output: number } | undefined {
  if (!isUnusableAnswer(error)) return undefined
  const answer = InvalidResponseDataError.isInstance(error) ? error.data : bodyOf(callError(error))
  const { usage, usageMetadata } = usageShape.safeParse(answer).data ?? {}
  const reported = usage ?? usageMetadata ?? {}
  const input = reportedCount(reported.prompt_tokens ?? reported.input_tokens ?? reported.promptTokenCount)
  const output = reportedCount(
    reported.completion_tokens ?? reported.output_tokens ?? reported.candidatesTokenCount,
  )
  return input === undefined ? undefined : { input, output: output ?? 0 }
}

function bodyOf(call: APICallError | undefined): unknown {
  try {
    return JSON.parse(call?.responseBody ?? '')
  } catch {
    return undefined
  }
}
