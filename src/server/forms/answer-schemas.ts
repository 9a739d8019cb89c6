import { z } from 'zod'

// Some hosts put these before their model, others leave them out, and every list of tools holds them: what they say is
// true of every answer, and no more than helps to read one. Answers hold fields that are not named here.

const match = z.enum(['good', 'weak', 'none'])
const id = z.string()

export const toolSearchOutput = z.looseObject({
  match,
  candidates: z
    .array(
      z.looseObject({
        id,
        inputs: z.string().optional().describe('"?": optional. "…": cut, describe has it.'),
      }),
    )
    .describe('Best first.'),
})

export const agentSearchOutput = z.looseObject({
  match,
  candidates: z
    .array(z.looseObject({ id, use: z.string().optional().describe('How it is run.') }))
    .describe('Best first.'),
})

export const describeOutput = z.looseObject({
  cards: z.array(z.looseObject({ id })),
})
