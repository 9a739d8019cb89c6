import type { Tokens } from '../../domain/tokens.ts'
import type { ScoreWatch } from './cross-encoder.ts'

/** Keeps what rerankers that others run may use within the user's budget. */
export type Spending = {
  /**
   * Sets aside what one request will about use, as long as it is under way.
   *
   * @returns what ends that, with the tokens that were used, null for a request that nobody did; it gives their price in US dollars
   * @throws RerankerError when the budget does not have it
   */
  reserve(estimate: Tokens): (used: Tokens | null) => number | undefined
}

/** About the tokens of a text. Models' own counts differ. */
export const aboutTokens = (text: string): number => Math.ceil(text.length / 4)

/** What an answer says that it used; undefined for what is no count, such as -50 or 0.5: then it is not told. */
export const reportedCount = (reported: unknown): number | undefined =>
  Number.isSafeInteger(reported) && Number(reported) >= 0 ? Number(reported) : undefined

type Paying = {
  readonly spending: Spending
  readonly estimate: Tokens
  readonly onUsage: ScoreWatch['onUsage']
  /** Whether a request that failed may be charged for all the same. */
  readonly mayBeCharged: () => boolean
  /** What an answer that cannot be used says that it took, from the error. @defaultValue nothing */
  readonly tokensOf?: (error: unknown) => Tokens | undefined
}

/** What an answer says of itself. */
type Answered = { readonly tokens?: Tokens | undefined; readonly answeredAs?: string }

/**
 * Makes one request and counts it: also one whose answer was lost or cannot be read, since that is paid as well. Of an answer that does not
 * tell its tokens those that were sent count.
 */
export async function paidRequest<Answer extends Answered>(
  { spending, estimate, onUsage, mayBeCharged, tokensOf }: Paying,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const settle = spending.reserve(estimate)
  const count = ({ tokens = { input: estimate.input, output: 0 }, answeredAs }: Answered): void => {
    const cost = settle(tokens)
    onUsage?.({ tokens, cost, ...(answeredAs === undefined ? {} : { answeredAs }) })
  }
  try {
    const answer = await ask()
    count(answer)
    return answer
  } catch (error) {
    if (mayBeCharged()) count({ tokens: tokensOf?.(error) })
    else settle(null)
    throw error
  }
}
