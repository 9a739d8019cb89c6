import type { Tokens, Usage } from './cross-encoder.ts'

/** Keeps what rerankers that others run may use within the user's budget. */
export type Spending = {
  /**
   * Makes one request, with what it will about use set aside as long as it is under way.
   *
   * @param ask - gives the answer, with the tokens it used where they are known
   * @throws RerankerError when the budget does not have it; what `ask` throws, which counts nothing
   */
  spend<Answer extends { readonly tokens?: Tokens | undefined }>(
    estimate: Tokens,
    ask: () => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly usage: Usage }>
}

/** About the tokens of a text. Models' own counts differ. */
export const aboutTokens = (text: string): number => Math.ceil(text.length / 4)
