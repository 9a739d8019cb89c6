import { z } from 'zod'
import { type Budget, defaultBudget } from '../budget.ts'
import type { Allowance } from './grants.ts'
import { defaultLimits, type ExecutionLimits } from '../ports.ts'

/** What the user decided about running things. Nobody else widens it: no host, no model, no card. */
export type Settings = {
  /** What may be started; see {@link AllowList}. @defaultValue ['bundled'] */
  readonly allow: readonly Allowance[]
  readonly limits: ExecutionLimits
  readonly budget: Budget
  /** Executions at the same time. Integer 1..16. @defaultValue 2 */
  readonly concurrency: number
  /** Least time between two executions that leave for the same host, seconds >= 0. @defaultValue 1 */
  readonly hostSeconds: number
  /** Whether runs that were no probes add to the track record too. @defaultValue false */
  readonly recordRuns: boolean
  /** Whether calls and runs for hosts add uses to the track record: what became of them, nothing of what they said. @defaultValue true */
  readonly recordUses: boolean
  /** Weight of the track record in search, 0..10, 0 for none; null takes the tuned one. @defaultValue null */
  readonly recordWeight: number | null
  /** Standard deviations that search adds to estimates of success, 0..10: above 0 what was hardly tried is tried sooner. @defaultValue 0 */
  readonly exploration: number
  /**
   * What a success counts in a task that the card does not speak of, 0..1 (AgentSearchBench's documentation discount is 0.5). By
   * words alone that cannot be told well: docs/track-record.md. @defaultValue 1
   */
  readonly undocumented: number
  /** Times that a model grades each answer, of which the middle counts; each costs a call. Integer 1..9. @defaultValue 1 */
  readonly gradings: number
  /** Where Claude Code sub-agents run: on the model of `AUDITION_LLM`, or in the `claude` command. @defaultValue 'model' */
  readonly subagents: 'model' | 'claude'
  /**
   * Hosts on this machine or a private network that cards may name: `host`, `host:port`, `[IPv6]:port` or `*.domain`. What the user
   * names in person needs no entry. @defaultValue []
   */
  readonly privateHosts: readonly string[]
  /** Absolute folders that links in indexed folders may lead to; `~` is the home folder. @defaultValue [] */
  readonly followLinks: readonly string[]
  /** What a program that is started may use, all that it starts included; null for no limit. */
  readonly children: {
    readonly cpuSeconds: number | null
    readonly memoryBytes: number | null
    readonly processes: number | null
    readonly openFiles: number | null
    readonly fileBytes: number | null
  }
  readonly sandbox: {
    /** What stands between programs and the machine. @defaultValue 'none' */
    readonly kind: 'none' | 'bubblewrap' | 'container'
    /** Whether programs inside reach the network: all, none, or those of these permits (with `*` at the end). @defaultValue false */
    readonly network: boolean | readonly string[]
    /** Absolute paths that programs inside may read, or read and write, beyond their working folder. `~` is the home folder. */
    readonly readable: readonly string[]
    readonly writable: readonly string[]
    /** For `container`. @defaultValue 'docker' */
    readonly engine: 'docker' | 'podman'
    readonly image: string | null
  }
  /**
   * Language models beside `AUDITION_LLM`, as it writes them; the first is the default where that is not set. A key is named by the
   * environment variable that holds it. @defaultValue []
   */
  readonly models: readonly { readonly model: string; readonly key?: string | undefined }[]
  /** Points of success in a hundred that a dollar more per million tokens has to bring, 0..100, when models are compared. @defaultValue 1 */
  readonly priceWeight: number
  /** Of models, by id as profiles and `AUDITION_LLM` write it: US dollars per million tokens. */
  readonly prices: { readonly [model: string]: { readonly input: number; readonly output: number } }
}

export const defaultSettings: Settings = {
  allow: ['bundled'],
  limits: defaultLimits,
  budget: defaultBudget,
  concurrency: 2,
  hostSeconds: 1,
  recordRuns: false,
  recordUses: true,
  recordWeight: null,
  exploration: 0,
  undocumented: 1,
  gradings: 1,
  subagents: 'model',
  privateHosts: [],
  followLinks: [],
  children: {
    cpuSeconds: 300,
    memoryBytes: 2 * 1024 ** 3,
    processes: 256,
    openFiles: 4096,
    fileBytes: 1024 ** 3,
  },
  sandbox: {
    kind: 'none',
    network: false,
    readable: [],
    writable: [],
    engine: 'docker',
    image: null,
  },
  models: [],
  priceWeight: 1,
  prices: {},
}

/** More would cost much and tell little. */
export const mostGradings = 9

const positive = z.number().positive()
const line = z.string().trim().min(1)
/** No address, no path: a host alone, as the guard compares it. */
const hostPattern = /^(?:\*\.)?(?:\[[\da-f:.]+\]|[^\s/@:?#*[\]]+)(?::\d{1,5})?$|^[\da-f]*:[\da-f:.]+$/i
const path = z
  .string()
  .regex(/^(?:~(?:[\\/]|$)|[\\/]|[A-Za-z]:[\\/])/, 'write an absolute path, or one that begins with ~/')
const weight = z.number().min(0).max(10)

/** The settings file as it is written: whatever is left out has its default. */
export const settingsSchema = z.strictObject({
  allow: z
    .array(
      z.union([
        line,
        z.strictObject({
          permit: line,
          place: z.string(),
          launch: z.array(z.string()),
          digest: line,
          lines: z.record(z.string(), z.string()).optional(),
          sandbox: z.enum(['bubblewrap']).optional(),
          network: z.boolean().optional(),
        }),
      ]),
    )
    .nullish(),
  limits: z
    .strictObject({
      seconds: positive.max(86_400).optional(),
      outputBytes: z.int().min(1024).optional(),
      steps: z.int().min(1).optional(),
      tokens: z.int().min(1).nullable().optional(),
      cost: positive.nullable().optional(),
    })
    .nullish(),
  budget: z
    .strictObject({
      seconds: positive.nullable().optional(),
      tokens: z.int().min(1).nullable().optional(),
      cost: positive.nullable().optional(),
    })
    .nullish(),
  concurrency: z.int().min(1).max(16).optional(),
  hostSeconds: z.number().min(0).max(3600).optional(),
  recordRuns: z.boolean().optional(),
  recordUses: z.boolean().optional(),
  recordWeight: weight.nullable().optional(),
  exploration: weight.optional(),
  undocumented: z.number().min(0).max(1).optional(),
  gradings: z.int().min(1).max(mostGradings).optional(),
  subagents: z.enum(['model', 'claude']).optional(),
  children: z
    .strictObject({
      cpuSeconds: z.int().min(1).nullable().optional(),
      memoryBytes: z
        .int()
        .min(256 * 1024 ** 2, 'programs of Node need 256 MiB at least')
        .nullable()
        .optional(),
      processes: z.int().min(1).nullable().optional(),
      openFiles: z.int().min(64).nullable().optional(),
      fileBytes: z
        .int()
        .min(1024 ** 2)
        .nullable()
        .optional(),
    })
    .nullish(),
  sandbox: z
    .strictObject({
      kind: z.enum(['none', 'bubblewrap', 'container']).optional(),
      network: z.union([z.boolean(), z.array(z.string().trim().min(1))]).optional(),
      readable: z.array(path).optional(),
      writable: z.array(path).optional(),
      engine: z.enum(['docker', 'podman']).optional(),
      image: z
        .string()
        .trim()
        .regex(/^[^-\s]\S*$/, 'write the name of an image')
        .nullable()
        .optional(),
    })
    .nullish(),
  privateHosts: z
    .array(z.string().trim().regex(hostPattern, 'write host, host:port, [IPv6]:port or *.domain'))
    .nullish(),
  followLinks: z.array(path).nullish(),
  models: z
    .array(
      z.strictObject({
        model: line,
        key: z
          .string()
          .regex(/^[A-Z_][A-Z0-9_]*$/, 'write the name of an environment variable, never the key itself')
          .optional(),
      }),
    )
    .nullish(),
  priceWeight: z.number().min(0).max(100).optional(),
  prices: z
    .record(z.string(), z.strictObject({ input: z.number().min(0), output: z.number().min(0) }))
    .nullish(),
})

/** Fills in what a settings file leaves out. An `allow` that is there and empty allows nothing. */
export function settingsFrom(written: z.output<typeof settingsSchema>): Settings {
  const { allow, limits, budget, privateHosts, followLinks, children, sandbox, models, prices, ...rest } =
    written
  return {
    ...defaultSettings,
    ...given(rest),
    ...(allow === undefined ? {} : { allow: allow ?? [] }),
    limits: { ...defaultLimits, ...given(limits ?? {}) },
    budget: { ...defaultBudget, ...given(budget ?? {}) },
    privateHosts: privateHosts ?? [],
    followLinks: followLinks ?? [],
    children: { ...defaultSettings.children, ...given(children ?? {}) },
    sandbox: { ...defaultSettings.sandbox, ...given(sandbox ?? {}) },
    models: models ?? [],
    prices: prices ?? {},
  }
}

/** Without the fields that are undefined. */
export const given = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
