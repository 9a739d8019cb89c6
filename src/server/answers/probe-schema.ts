import { z } from 'zod'

/** What `probe_agent` answers. Which fields there are follows from `state`. */
export const probeOutput = z.looseObject({
  state: z.enum(['planned', 'running', 'done']),
  run_id: z.string().optional(),
  candidates: z.array(z.looseObject({ id: z.string() })).optional(),
})
