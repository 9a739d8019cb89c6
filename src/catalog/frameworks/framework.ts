import { dump } from 'js-yaml'
import type { Backbone } from '../../domain/card.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { isSecretName } from '../../domain/text/secrets.ts'
import type { ProfileFields } from '../formats/capability-profile.ts'
import { backboneOf } from '../formats/markdown-agent.ts'
import { textOf } from '../formats/published-fields.ts'
import type { Reader } from '../ports.ts'

/** A file of an agent in the format of another framework. */
export type FrameworkFile = { readonly name: string; readonly text: string }

type Filled = 'backbone' | 'tools' | 'policy' | 'instructions' | 'examples' | 'servers'

/** A profile to be written: what it does not say is empty. */
export type WholeProfile = Omit<ProfileFields, Filled> & {
  readonly [name in Filled]: Exclude<ProfileFields[name], undefined>
}

const limitName = 'max_output_tokens'
/** Names of the most tokens of an answer. They sound like secrets, and are numbers. */
const isLimit = (name: string): boolean => [limitName, 'max_tokens', 'max_completion_tokens'].includes(name)

/** The most tokens of an answer under one name. */
export function withOneLimit(fields: JsonObject): JsonObject {
  const { max_tokens: limit, ...rest } = fields
  return limit === undefined || fields[limitName] !== undefined ? fields : { ...rest, [limitName]: limit }
}

export function wholeOf(profile: ProfileFields): WholeProfile {
  const { backbone = null, tools = [], policy = {}, instructions = '' } = profile
  const { examples = [], servers = {} } = profile
  return { ...profile, backbone, tools, policy: withOneLimit(policy), instructions, examples, servers }
}

/** A framework whose agents are read and written. */
export type Framework = {
  /** Kebab-case, for `--as`. */
  readonly name: string
  readonly title: string
  readonly reader: Reader
  /**
   * An agent in its format, as far as that goes.
   *
   * @returns the file that {@link reader} reads, first; and what a person has to do beside, a sentence each
   */
  write(profile: WholeProfile): {
    readonly files: readonly [FrameworkFile, ...FrameworkFile[]]
    readonly notes: readonly string[]
  }
}

/** A backbone as provider and model; the provider is empty where no id names one, and both are without a backbone. */
export function providerAndModel(backbone: ProfileFields['backbone']): {
  readonly provider: string
  readonly model: string
} {
  const { id = '', name = '' } = backbone ?? {}
  const [, provider = '', model = id || name] = /^([^/]+)\/(.+)$/.exec(id) ?? []
  return { provider, model }
}

/** The backbone that a provider and a model are; null without a model. */
export function backboneOn(provider: string, model: string): Backbone | null {
  if (model === '') return null
  return provider === '' ? backboneOf(model) : { name: model, id: `${provider}/${model}` }
}

/** The source of a tool: its card id less its own name; empty when it has none. */
export const sourceOfTool = ({
  name,
  server,
  id = '',
}: NonNullable<ProfileFields['tools']>[number]): string =>
  server ?? (id.endsWith(`/${name}`) ? id.slice(0, -name.length - 1) : '')

/** Names of policy fields that a format has in its own words, by ours. */
export type PolicyWords = { readonly [ours: string]: string }

/** Fields in our words, all of them: what is not known keeps its name. Secrets and empty values are left out. */
export function inOurWords(
  fields: unknown,
  words: PolicyWords,
  without: readonly string[] = [],
): { [name: string]: JsonValue } {
  const ours = new Map(Object.entries(words).map(([own, theirs]) => [theirs, own]))
  const ourName = (name: string): string => ours.get(name) ?? (isLimit(name) ? limitName : name)
  const isSecret = (name: string, value: JsonValue): boolean =>
    isSecretName(name) && !(typeof value === 'number' && (ours.has(name) || isLimit(name)))
  return Object.fromEntries(
    Object.entries(isJsonObject(fields) ? fields : {}).flatMap(([name, value]): [string, JsonValue][] =>
      value === null || without.includes(name) || isSecret(name, value) ? [] : [[ourName(name), value]],
    ),
  )
}

/** The fields of a policy that a format has words for, in them. */
export const inTheirWords = (policy: JsonObject, words: PolicyWords): JsonObject =>
  Object.fromEntries(
    Object.entries(words).flatMap(([ours, theirs]) =>
      policy[ours] === undefined ? [] : [[theirs, policy[ours]]],
    ),
  )

/** Words that are the same in both. */
export const sameWords = (...names: readonly string[]): PolicyWords =>
  Object.fromEntries(names.map((name) => [name, name]))

/** YAML that is written in one way. */
export const yamlOf = (value: JsonObject): string => dump(value, { lineWidth: -1, noRefs: true })

/** What formats without a place for them keep beside an agent, as a part to spread: nothing when there is none. */
export function metadataOf({ title, tags = [], examples = [] }: ProfileFields): {
  readonly metadata?: JsonObject
} {
  const metadata = {
    ...(title === undefined ? {} : { title }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(examples.length === 0 ? {} : { examples }),
  }
  return Object.keys(metadata).length === 0 ? {} : { metadata }
}

/** A file's name of an agent. */
export const fileOf = ({ name }: ProfileFields, ending: string): string => `${name}.${ending}`

/** The text of instructions, which some formats write as a list of lines. */
export const instructionsOf = (published: unknown): string =>
  Array.isArray(published)
    ? published
        .map(textOf)
        .filter((line) => line !== '')
        .join('\n')
    : textOf(published)
