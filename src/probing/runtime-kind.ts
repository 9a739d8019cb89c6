import type { AgentCard, AgentKind, Card } from '../domain/card.ts'
import type { Environment } from '../domain/environment.ts'
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
  /** The address that callers of a tool need, who reach it by themselves. @defaultValue none */
  address?(runtime: RuntimeOf<Kind>): string
}

/** What runs cards of a kind, once its code is loaded. */
export type CardRunner = Omit<Executor, 'name' | 'accepts'>

/** What permits stand for, as a person reads it: what follows is the rest of the permit. */
export type PermitWords = {
  /** Before the name of one launch: `The program`. */
  readonly one: string
  /** Before the start of names: `Every agent whose command line begins with`. */
  readonly all: string
  /** Before a file, for all that it names: `mcp:<file>#*`. @defaultValue as the start of any names */
  readonly inFile?: string
}

/** What runs cards of a sort, and under which permits. */
export type RunnerKind<Surroundings> = {
  /** Stands in the record as who ran a card. Kebab-case. */
  readonly name: string
  /** The word with which permits of its launches begin: `a2a` of `a2a:https://agents.example`. */
  readonly permit: string
  /** What stands after that word, as help shows it: `<origin>`. @defaultValue `<address>` */
  readonly permitNames?: string
  readonly permitWords: PermitWords
  /**
   * Whether what it starts is a stranger's program that needs nothing of this machine to answer: its permit comes with a sandbox.
   *
   * @defaultValue false
   */
  readonly takesSandbox?: boolean
  /** Whether a card is of its sort; cheap, reads no file. */
  accepts(card: Card): boolean
  open(surroundings: Surroundings): Promise<CardRunner>
}

/**
 * A way to run cards, whole: which cards, under which permits, how it is shown and shared, how it is opened. Light to load: what
 * runs them is loaded by `open`.
 */
export type RuntimeKind<Surroundings, Kind extends keyof Runtimes = keyof Runtimes> = ShownRuntime<Kind> &
  RunnerKind<Surroundings> & {
    /** Kinds of the agents that it asks; empty where it calls tools. */
    readonly agentKinds: readonly AgentKind[]
    /** How agents of its kinds stand in a catalog for others, whether they can be run or not. @defaultValue as any agent */
    readonly published?: PublishedForm
    /** What is set for it in the environment. @defaultValue nothing can be */
    readonly settings?: RuntimeSettings
  }

/** A format of agents that others read. */
export type PublishedForm = {
  /** Its media type. */
  readonly type: string
  /** @param said - name, description and skills, which stand in any format */
  document(card: AgentCard, said: JsonObject): JsonObject
}

/** What is set for a runtime, as `doctor` tells it. */
export type RuntimeSettings = {
  /** What is looked at: `a2a tokens`. */
  readonly name: string
  /** One line without secrets; null when nothing is set. @throws RuntimeError when it is written otherwise than it is read */
  read(environment: Environment): Promise<string | null>
}

/** An executor whose code is loaded when a card is planned or run, and not before. */
export function executorOf<Surroundings>(
  { name, accepts, open }: Pick<RunnerKind<Surroundings>, 'name' | 'accepts' | 'open'>,
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
