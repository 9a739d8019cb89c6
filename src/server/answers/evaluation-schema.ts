import { z } from 'zod'

/** What `evaluate` answers. Which fields there are follows from `state`. */
export const evaluateOutput = z.looseObject({
  state: z.enum(['running', 'done']),
  run_id: z.string(),
  measures: z.array(z.looseObject({})).optional().describe('Shares of 1, with 95% intervals.'),
})
