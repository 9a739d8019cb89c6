import type { Context } from '../context.ts'

/** What a check saw: fine, worth a look, or broken; and what to do about it. */
export type Diagnosis = {
  readonly state: 'ok' | 'warn' | 'fail'
  readonly message: string
  readonly remedy?: string
  /** What a program printed last. */
  readonly output?: string
}

/** How thorough `doctor` is. */
export type Thoroughness = {
  /** Whether MCP servers are started to see if they answer. */
  readonly servers: boolean
  /** Longest wait for one of them, in milliseconds. */
  readonly timeoutMs: number
}

/** One thing `doctor` looks at. It changes nothing; what it throws counts as a failure. */
export type Check = {
  readonly name: string
  run(context: Context, thoroughness: Thoroughness): Promise<readonly Diagnosis[]>
}
