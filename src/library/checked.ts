import { z } from 'zod'
import { ArgumentError } from './door.ts'
import { wrongArguments } from '../server/mistakes.ts'
import { anyNeedText } from '../server/schemas.ts'
import { searchFields } from '../server/search-input.ts'

// The fields that tools of the server have too are theirs. A program may give longer texts than a model: what is too long is not read.

const long = z.string()
const query = anyNeedText().describe('the need in plain words.')
const ranker = z.enum(['auto', 'lexical', 'dense', 'hybrid', 'rrf', 'learned', 'reader', 'cross-encoder'])
const names = z.array(z.string()).optional()

const asked = {
  query,
  k: searchFields.k,
  instruction: long.optional(),
  context: long.optional(),
  ranker: ranker.optional(),
}

const filter = z.looseObject({
  sources: names,
  tags: names,
  agentKinds: names,
  servers: names,
  hasRuntime: z.boolean().optional(),
  readOnly: z.boolean().optional(),
  exclude: names,
  only: names,
})

const request = z.looseObject({
  kind: z.enum(['tool', 'agent']).describe('"tool" or "agent".'),
  ...asked,
  enough: z.boolean().optional(),
  filter: filter.optional(),
  pack: z.enum(['diverse', 'ranking']).optional(),
})

/** What methods of the library take, by name, with a call that is right. */
const methods = {
  search: { input: request, right: "search({ kind: 'tool', query: 'turn a csv file into a chart', k: 5 })" },
  rank: { input: z.looseObject(asked), right: "rank(tools, 'turn a csv file into a chart', { k: 5 })" },
  compose: {
    input: z.looseObject({ task: anyNeedText(), k: z.int().min(1).max(10).optional() }),
    right: "compose('review a lease, then mail the risky clauses', { k: 3 })",
  },
  cards: { input: z.looseObject({ ids: z.array(z.string()) }), right: "cards(['github/list_issues'])" },
}

/** @throws ArgumentError when what a method is given cannot be met */
export function checkArguments(method: keyof typeof methods, given: unknown): void {
  const { input, right } = methods[method]
  const parsed = input.safeParse(given)
  if (parsed.success) return
  const wrong = wrongArguments({ name: method, input }, given, parsed.error)
  throw new ArgumentError(wrong, `Right would be: ${right}.`)
}
