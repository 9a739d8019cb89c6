import { z } from 'zod'
import type { Audition } from '../../compose/audition.ts'
import type { Surrounded } from '../asking/asker.ts'
import type { ApiJobs } from './api-jobs.ts'

/** Who asks. The `owner` has the page of `audition ui` and decides; a `caller` may what callers of the MCP server may. */
type Role = 'owner' | 'caller'

/** What an endpoint works with. */
export type ApiContext = {
  readonly app: Audition
  readonly jobs: ApiJobs
  readonly role: Role
  /** Whose hosts are looked at; absent where nobody said so. */
  readonly surrounded?: Surrounded | undefined
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal
}

/** One thing that may be asked, as data: docs/page.md lists them, and the types of the page follow from them. */
export type Endpoint<Input extends z.ZodObject, Output> = {
  readonly does: string
  /** What `changes` anything is asked by POST alone. */
  readonly effect: 'reads' | 'changes'
  /** The least that may ask. @defaultValue callers */
  readonly who?: Role
  readonly input: Input
  /** @throws RemedyError, Mistake: told to whoever asked */
  handle(input: z.output<Input>, context: ApiContext): Promise<Output>
}

/** Infers the types of a definition. */
export const endpoint = <Input extends z.ZodObject, Output>(
  definition: Endpoint<Input, Output>,
): Endpoint<Input, Output> => definition

/** A list, which in an address may be one value. */
export const list = <Item extends z.ZodType>(item: Item, most = 50) =>
  z.preprocess(
    (given) => (given === undefined || Array.isArray(given) ? given : [given]),
    z.array(item).max(most),
  )

/** Nothing is asked. */
export const nothing = z.strictObject({})
