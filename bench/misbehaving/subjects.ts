import type { Ending } from '../../src/domain/outcome.ts'

/** One way to misbehave, and how an execution of it has to end. */
export type Subject = {
  readonly name: string
  readonly sort: 'command' | 'mcp-stdio' | 'mcp-http'
  /** As the program of its sort names it. */
  readonly behaviour: string
  readonly ending: Ending
  /** Wall time it is allowed, seconds. */
  readonly seconds: number
  /** The caller stops it after so many seconds. */
  readonly cancelAfter?: number
}

/** Time to spare for those that end by themselves, and little for those that do not. */
const ample = 30
const short = 1.5

const of =
  (sort: Subject['sort'], ending: Ending, seconds: number) =>
  (behaviour: string): Subject => ({ name: `${sort} ${behaviour}`, sort, behaviour, ending, seconds })

const cancelled = (sort: Subject['sort'], behaviour: string): Subject => ({
  name: `${sort} ${behaviour}, cancelled`,
  sort,
  behaviour,
  ending: 'cancelled' as const,
  seconds: ample,
  cancelAfter: 0.7,
})

/** Every way to misbehave that is tried. Some answer all the same, and leave something behind. */
export const subjects: readonly Subject[] = [
  ...['echo', 'close-stdin', 'hold-stdout', 'daemon', 'own-session', 'invalid-utf8'].map(
    of('command', 'answered', ample),
  ),
  ...['crash', 'exit-3', 'kill-itself', 'nothing', 'blank', 'binary', 'no-utf8'].map(
    of('command', 'failed', ample),
  ),
  ...['flood-stdout', 'flood-stderr', 'flood-for-ever'].map(of('command', 'limit', ample)),
  ...['hang', 'ignore-sigterm', 'answer-and-stay', 'drip', 'spin', 'close-all', 'family'].map(
    of('command', 'limit', short),
  ),
  cancelled('command', 'ignore-sigterm'),
  cancelled('command', 'family'),
  ...['echo', 'twice', 'invalid-utf8', 'daemon', 'own-session', 'flood-stderr'].map(
    of('mcp-stdio', 'answered', ample),
  ),
  ...[
    'error',
    'refusal',
    'crash',
    'crash-at-start',
    'exit',
    'other-tool',
    'nonsense',
    'binary',
    'flood-stdout',
  ].map(of('mcp-stdio', 'failed', ample)),
  of('mcp-stdio', 'limit', ample)('flood'),
  ...[
    'never-shake',
    'never-list',
    'never-answer',
    'late',
    'wrong-id',
    'progress-for-ever',
    'stubborn',
    'garbage-answer',
    'close-stdin',
  ].map(of('mcp-stdio', 'limit', short)),
  cancelled('mcp-stdio', 'stubborn'),
  ...['page', 'reset'].map(of('mcp-http', 'failed', ample)),
  of('mcp-http', 'limit', ample)('flood'),
  of('mcp-http', 'limit', short)('never'),
]
