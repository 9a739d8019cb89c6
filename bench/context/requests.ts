import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package-root.ts'

/** What a user or a host's model asks for, and the tools of real servers that do it. */
export type ContextRequest = {
  /** The server that it was written for. */
  readonly server: string
  /** Ids of the tools that do it, each alone: `server/tool`. */
  readonly tools: readonly string[]
  readonly request: string
}

/** Written by hand, by what the tools do and before any search was asked. */
export const readRequests = (): readonly ContextRequest[] =>
  readFileSync(join(packageRoot, 'bench', 'context', 'requests.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ContextRequest)

/** A candidate of the answer of `search_tools`, as far as this bench reads it. */
export type Candidate = { readonly id: string; readonly inputs?: string }

/**
 * The first candidate that does what was asked for, and whether the answer tells all that a call of it needs: the name of
 * each required input.
 */
export function rightCandidate(
  candidates: readonly Candidate[],
  { tools }: ContextRequest,
  requiredOf: (id: string) => readonly string[],
): { readonly id: string; readonly isComplete: boolean } | undefined {
  const found = candidates.find(({ id }) => tools.includes(id))
  if (found === undefined) return undefined
  const named = new Set(found.inputs?.split('; ').map((input) => input.split(/\??: /, 1)[0]!))
  return { id: found.id, isComplete: requiredOf(found.id).every((name) => named.has(name)) }
}
