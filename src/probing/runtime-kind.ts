import type { Card } from '../domain/card.ts'
import type { JsonObject } from '../domain/json.ts'
import { opener } from '../domain/once.ts'
import type { RuntimeOf, Runtimes } from '../domain/runtime.ts'
import type { Executor } from './ports.ts'

/** What words of a runtime are put through before a model, or another machine, gets them. */
export type Hiding = {
  /** A file or folder without those above it that would tell of this machine. */
  location(path: string): string
  /** A text without paths of this machine. */
  text(text: string): string
  /** On one line, at most so many characters. */
  line(text: string, most: number): string
  /** Likewise, in quotes. */
  quoted(text: string, most: number): string
}

/** How a runtime is told of; one for each kind. */
export type ShownRuntime<Kind extends keyof Runtimes = keyof Runtimes> = {
  readonly kind: Kind
  /** One line for a person at this machine. */
  text(runtime: RuntimeOf<Kind>): string
  /** A few words for a model: what to do to use it. */
  use(runtime: RuntimeOf<Kind>, hide: Hiding): string
  /** What a host needs to start or call it by itself. */
  call(runtime: RuntimeOf<Kind>, hide: Hiding): JsonObject
  /** The runtime as it may leave this machine. */
  share(runtime: RuntimeOf<Kind>, hide: Hiding): RuntimeOf<Kind>
  /** A sentence in the exported profile: where what runs it stands. @defaultValue none */
  exported?(runtime: RuntimeOf<Kind>): string
}

/** What runs cards of a kind, once its code is loaded. */
export type CardRunner = Omit<Executor, 'name' | 'accepts'>

/**
 * A way to run cards, whole: which cards, under which permits, how it is shown and shared, how it is opened. Light to load: what
 * runs them is loaded by `open`.
 */
export type RuntimeKind<Surroundings, Kind extends keyof Runtimes = keyof Runtimes> = ShownRuntime<Kind> & {
  /** Stands in the record as who ran a card. Kebab-case. */
  readonly name: string
  /** The word with which permits of its launches begin: `a2a` of `a2a:https://agents.example`. */
  readonly permit: string
  /** What stands after that word, as help shows it: `<origin>`. @defaultValue `<address>` */
  readonly permitNames?: string
  /** Whether a card is of its sort; cheap, reads no file. */
  accepts(card: Card): boolean
  open(surroundings: Surroundings): Promise<CardRunner>
}

/** An executor whose code is loaded when a card is planned or run, and not before. */
export function executorOf<Surroundings>(
  { name, accepts, open }: Pick<RuntimeKind<Surroundings>, 'name' | 'accepts' | 'open'>,
  surroundings: Surroundings,
): Executor {
  const runner = opener(() => open(surroundings))
  return {
    name,
    accepts,
    secretsOf: async (card) => (await (await runner()).secretsOf?.(card)) ?? [],
    plan: async (card) => (await runner()).plan(card),
    execute: async (card, task, options) => (await runner()).execute(card, task, options),
  }
}
