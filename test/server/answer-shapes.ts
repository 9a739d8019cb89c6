import { z } from 'zod'

// What answers hold, field by field. `tools/list` shows less, so that it stays short: these say that no field comes or goes
// unnoticed, and that none is empty.

const text = z.string().min(1)
const texts = z.array(z.string()).min(1)
const object = z.record(z.string(), z.unknown())

const why = {
  from: z.enum(['proven', 'accepted', 'stranger', 'newcomer', 'distrusted']).optional(),
  matched: texts.optional(),
  steps: z.array(z.number()).min(1).optional(),
  liftedBy: z.string().optional(),
  duplicates: texts.optional(),
  standsBack: text.optional(),
  record: text.optional(),
  cannotRun: z.string().optional(),
}

/** With `detail: "full"` every signal is told. */
const whyWhole = {
  ...why,
  matched: z.array(z.string()).optional(),
  coverage: z.number().optional(),
  lexical: z.number().optional(),
  dense: z.number().optional(),
  crossEncoder: z.number().optional(),
  liftShare: z.number().optional(),
}

const annotations = z.strictObject({
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  openWorld: z.boolean().optional(),
})

const run = z
  .strictObject({
    via: z.enum(['mcp', 'a2a', 'http', 'profile', 'claude-subagent']),
    server: z.string().optional(),
    transport: z.string().optional(),
    config: z.string().optional(),
    command: z.string().optional(),
    url: z.string().optional(),
    binding: z.string().optional(),
    version: z.string().optional(),
    method: z.string().optional(),
    file: z.string().optional(),
  })
  .nullable()
  .optional()

const card = {
  id: z.string(),
  name: z.string().optional(),
  flags: texts.optional(),
  description: z.string(),
  title: z.string().optional(),
  tags: texts.optional(),
  examples: texts.optional(),
}

const schema = {
  server: z.string().optional(),
  inputs: text.optional(),
  inputSchema: object.optional(),
  trimmed: z
    .array(z.enum(['descriptions', 'optional', 'nested']))
    .min(1)
    .optional(),
  outputSchema: object.optional(),
  annotations: annotations.optional(),
}

const found = { score: z.number(), why: z.strictObject(whyWhole).optional() }

const toolCandidate = z.strictObject({
  ...card,
  ...schema,
  ...found,
  declaration: z.string().optional(),
  effects: z.enum(['reads', 'writes', 'destroys']).optional(),
  use: z.string().optional(),
  run,
})

const agentCandidate = z.strictObject({
  ...card,
  ...found,
  kind: z.enum(['profile', 'subagent', 'skill', 'a2a', 'toolkit', 'listing']),
  backbone: z.string().optional(),
  tools: texts.optional(),
  toolCount: z.number().optional(),
  use: text.optional(),
  run,
  yaml: z.string().optional(),
  instructions: z.string().optional(),
})

const search = (candidate: z.ZodObject) =>
  z.strictObject({
    match: z.enum(['good', 'weak', 'none']),
    note: text.optional(),
    candidates: z.array(candidate),
    searched: z.number(),
    steps: texts.optional(),
    omitted: z.number().min(1).optional(),
    next: text.optional(),
  })

const described = {
  ...card,
  leftOut: texts.optional(),
  uri: text.optional(),
  publisher: z.string().optional(),
  run,
  provenance: z
    .strictObject({
      reader: z.string(),
      location: z.string(),
      details: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
}

const describedTool = z.strictObject({
  kind: z.literal('tool'),
  ...described,
  ...schema,
  documentation: z.unknown().optional(),
})

const describedAgent = z.strictObject({
  kind: z.literal('agent'),
  ...described,
  agentKind: z.enum(['profile', 'subagent', 'skill', 'a2a', 'toolkit', 'listing']),
  backbone: z
    .strictObject({ name: z.string(), id: z.string().optional(), description: z.string().optional() })
    .optional(),
  tools: z
    .array(
      z.strictObject({ name: z.string(), description: z.string().optional(), id: z.string().optional() }),
    )
    .min(1)
    .optional(),
  toolCount: z.number().optional(),
  use: text.optional(),
  yaml: z.string().optional(),
})

/** By the name of the tool that gives the answer. */
export const answerShapes = {
  search_tools: search(toolCandidate),
  search_agents: search(agentCandidate),
  describe: z.strictObject({
    cards: z.array(z.discriminatedUnion('kind', [describedTool, describedAgent])),
    unknown: z
      .array(z.strictObject({ id: z.string(), closest: z.array(z.string()) }))
      .min(1)
      .optional(),
    omitted: z.number().min(1).optional(),
    next: text.optional(),
  }),
} as const
