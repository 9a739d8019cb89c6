import type { Spending } from '../../src/retrieval/rank/spending.ts'

/** Sets nothing aside, and knows no price. */
export const unbounded: Spending = { reserve: () => () => undefined }
