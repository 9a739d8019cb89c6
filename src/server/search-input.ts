import { z } from 'zod'
import type { Audition } from '../compose/audition.ts'
import { cardsNamed, singularOf, type UnknownNames, unknownNames } from '../compose/known-names.ts'
import { closestIds } from '../domain/text/closest-ids.ts'
import { Mistake } from './mistakes.ts'
import { quotedList } from './text.ts'
import { longestNeed, nameText } from './schemas.ts'

/** How much is told of each candidate. */
export type Detail = 'brief' | 'standard' | 'signatures' | 'full'

/** Tokens an answer may cost when the caller sets none. */
export const usualTokens = {
  brief: 1_500,
  standard: 1_500,
  signatures: 1_500,
  full: 6_000,
} as const satisfies Record<Detail, number>

/** The budget of an answer, for every tool that keeps one. */
export const maxTokensField = (usual: string) =>
  z.int().min(200).max(20_000).optional().describe(`Most tokens of the answer; default ${usual}.`)

const names = (what: string) => z.array(nameText()).max(50).optional().describe(what)

/** The arguments that both searches have. */
export const searchFields = {
  instruction: z.string().max(longestNeed).optional().describe('What the wanted one does.'),
  context: z.string().max(longestNeed).optional().describe('The wider goal, the system at hand.'),
  k: z.int().min(1).max(100).optional().describe('Candidates; default: enough.'),
  sources: names('Only of these: an id up to its first slash.'),
  tags: names('Only with one of these.'),
  runnable: z.boolean().optional().describe('Only what can run here.'),
  reach: z.enum(['here', 'any']).optional().describe('here: only what you can call.'),
  exclude: names('Ids to leave out.'),
  detail: z
    .enum(['brief', 'standard', 'full'])
    .default('standard')
    .describe('full: JSON schemas and signals too.'),
  max_tokens: maxTokensField('by need'),
}

/** The values of {@link searchFields}, as far as both searches treat them alike. */
type SharedInput = {
  readonly sources?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
  readonly servers?: readonly string[] | undefined
  readonly runnable?: boolean | undefined
  readonly exclude?: readonly string[] | undefined
}

/** The part of a filter that both searches have. An empty list is no condition. */
export const sharedFilter = ({ sources, tags, runnable, exclude }: SharedInput) => ({
  ...(isGiven(sources) ? { sources } : {}),
  ...(isGiven(tags) ? { tags } : {}),
  ...(runnable === true ? { hasRuntime: true } : {}),
  ...(isGiven(exclude) ? { exclude } : {}),
})

/** What both searches ask for besides the need and the filter. */
export const sharedRequest = ({
  k,
  instruction,
  context,
}: {
  readonly k?: number | undefined
  readonly instruction?: string | undefined
  readonly context?: string | undefined
}) => ({
  ...(k === undefined ? { enough: true } : { k }),
  ...(instruction === undefined ? {} : { instruction }),
  ...(context === undefined ? {} : { context }),
})

/** Whether a list was given and has an entry: models like to send empty ones. */
export const isGiven = <T>(list: readonly T[] | undefined): list is readonly T[] =>
  list !== undefined && list.length > 0

/** @throws Mistake when a source, server, tag or id to exclude is not in the store, with those that are */
export async function checkNames(app: Audition, input: SharedInput): Promise<void> {
  const first = await unknownNames(app, input)
  if (first !== undefined) throw noneCalled(first)
  if (isGiven(input.exclude)) await checkExcluded(app, input.exclude)
}

/** The names that there are, those like the unknown ones first. */
function noneCalled({ field, unknown, known }: UnknownNames): Mistake {
  const said = `No ${singularOf[field]} is called ${quotedList(unknown, 3)}`
  if (known.length === 0) return new Mistake(`${said}: no card has any. Call again without "${field}".`)
  const closest = unknown.slice(0, 3).flatMap((name) => closestIds(known, name, 3))
  const like = known.filter((id) => unknown.some((name) => sharesWords(id, name)))
  const nearFirst = [...new Set([...closest, ...like, ...known])]
  const title = `${field.charAt(0).toUpperCase()}${field.slice(1)}`
  return new Mistake(
    `${said}. ${title}: ${quotedList(nearFirst, 12)}. Call again with one of these, or without "${field}".`,
  )
}

/** Excluding what is not there would leave in what was meant. */
async function checkExcluded(app: Audition, ids: readonly string[]): Promise<void> {
  const shown = 3
  const { unknown } = await cardsNamed(app, ids, { helped: shown, closest: 1 })
  if (unknown.length === 0) return
  const closest = [...new Set(unknown.flatMap((one) => one.closest))]
  const hint = closest.length === 0 ? '' : ` Closest: ${quotedList(closest, shown)}.`
  const said = quotedList(
    unknown.map(({ id }) => id),
    shown,
  )
  throw new Mistake(
    `No agent or tool has the id ${said}.${hint} ` +
      'Call again with ids as a search gives them, or without these in "exclude".',
  )
}

const sharesWords = (id: string, name: string): boolean => {
  const [a, b] = [id.toLowerCase(), name.toLowerCase()]
  return a.includes(b) || b.includes(a) || a.slice(0, 3) === b.slice(0, 3)
}
