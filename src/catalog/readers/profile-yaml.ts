import type { z } from 'zod'
import { isJsonObject, type JsonValue } from '../../domain/json.ts'
import type { Runtime } from '../../domain/runtime.ts'
import { isSecretName, maskSecrets } from '../../domain/text/secrets.ts'
import { whyNotYaml } from '../formats/parse-yaml.ts'
import { isYamlPath } from '../path-names.ts'
import type { CardDraft, Problem, Reader, ReadResult, SourceDocument } from '../ports.ts'
import { type Profile, profileSchema, profileVersion } from '../formats/capability-profile.ts'
import { unusableFields } from '../formats/policy-fields.ts'
import { holdsOnlyReferences } from '../server-entries.ts'

/** What to do about a field, by its first step. */
const remedies: { readonly [field: string]: string } = {
  profile: `Write "profile: ${profileVersion}", or update Audition if the profile is newer.`,
  name: 'Write a name such as "name: lease-reviewer".',
  description: 'Say in one or two sentences what the agent does and when to choose it.',
  backbone: 'Write "backbone: { name: ..., id: provider/model }", or "backbone: null" for tools alone.',
  tools: 'Write each tool as "{ name: ..., description: ..., server: ... }".',
  servers: 'Write each server as a host\'s mcpServers entry: "command" and "args", or "url".',
  run: 'Write "run: { command: node, args: [agent.js] }", or leave it out and name a backbone.',
  chat: 'Write "chat: { url: https://host/v1, model: ... }", or leave it out and name a backbone.',
}

/**
 * Reads capability profiles: backbone M, tools T and policy C of an agent, in YAML that starts with `profile:`.
 * Strict, since a misspelt field would silently be lost, and a profile that holds a secret is refused.
 *
 * @see AgentSelect, ICML 2026, section 3
 */
export const profileYaml: Reader = {
  name: 'profile-yaml',
  describes: `Capability profiles, profile: ${profileVersion} (YAML)`,
  grain: 'card',
  recognises: (document) =>
    isYamlPath(document.path) && /^profile\s*:\s*["']?audition\//m.test(document.text),
  read(document) {
    const value = document.yaml()
    if (!isJsonObject(value)) return refusedProfile(document, [notYaml(document)])
    const checked = profileSchema.safeParse(value)
    if (!checked.success) return refusedProfile(document, checked.error.issues.map(complaintOf))
    const secrets = secretsIn({
      servers: checked.data.servers,
      run: checked.data.run ?? null,
      chat: checked.data.chat ?? null,
    })
    if (secrets.length > 0) return refusedProfile(document, secrets)
    const problems = unusableFields(checked.data.policy).map(
      ({ field, reason }): Problem => ({
        severity: 'warning',
        file: document.label,
        field: `policy.${field}`,
        message: `policy.${field} has a value that cannot be used, and no effect: ${reason}`,
        remedy: 'Correct the value or remove the field.',
      }),
    )
    return { cards: [cardOf(document, checked.data)], servers: [], problems }
  },
}

function cardOf(document: SourceDocument, profile: Profile): CardDraft {
  const { name, title, description, tags, examples, policy, instructions } = profile
  const backbone = profile.backbone ?? null
  const servers = Object.entries(profile.servers).map(
    ([key, entry]) => [key, withoutUndefined(entry)] as const,
  )
  return {
    kind: 'agent',
    agentKind: 'profile',
    key: name,
    name,
    ...(title === undefined ? {} : { title }),
    description,
    examples,
    tags,
    backbone: backbone === null ? null : withoutUndefined(backbone),
    tools: profile.tools.map(({ server, id, ...tool }) => {
      const card = id ?? (server === undefined ? undefined : `${server}/${tool.name}`)
      return { ...withoutUndefined(tool), ...(card === undefined ? {} : { id: card }) }
    }),
    policy,
    ...(servers.length === 0 ? {} : { servers: Object.fromEntries(servers) }),
    ...(instructions === undefined || instructions === '' ? {} : { instructions }),
    ...runtimeOf(document, profile),
  }
}

/** Nothing runs a profile without backbone, command and address: it lends its tools to others. */
function runtimeOf(
  { path: file }: SourceDocument,
  { run, chat, backbone }: Profile,
): { readonly runtime?: Runtime } {
  if (chat !== undefined) return { runtime: { kind: 'openai-chat', file } }
  return run === undefined && (backbone ?? null) === null ? {} : { runtime: { kind: 'profile', file } }
}

type Complaint = Pick<Problem, 'message' | 'remedy'> & { readonly field?: string }

const refusedProfile = (document: SourceDocument, complaints: readonly Complaint[]): ReadResult => ({
  cards: [],
  servers: [],
  problems: complaints.map((complaint) => ({ severity: 'error', file: document.label, ...complaint })),
})

const notYaml = (document: SourceDocument): Complaint => ({
  message: `the profile is not valid YAML: ${whyNotYaml(document.text) ?? 'it is no map'}`,
  remedy: 'Mend the line; text that holds ": " or "#" needs quotes, or "|" and lines of its own.',
})

const topFields = Object.keys(profileSchema.shape).join(', ')

function complaintOf(issue: z.core.$ZodIssue): Complaint {
  const [first] = issue.path
  const field = fieldPath(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `"${key}"`).join(', ')
    return {
      field: fieldPath([...issue.path, issue.keys[0] ?? '']),
      message: `${field === '' ? 'a profile' : field} has no field ${names}`,
      remedy: `Correct the spelling or remove it.${field === '' ? ` A profile has: ${topFields}.` : ''}`,
    }
  }
  return {
    ...(field === '' ? {} : { field }),
    message: `${field || 'the profile'} ${sentence(issue.message)}`,
    remedy: remedies[String(first)] ?? 'Correct the field.',
  }
}

/** `tools[2].name`. */
const fieldPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`,
    '',
  )

/** Zod's words as the end of a sentence that begins with the field. */
const sentence = (message: string): string =>
  /received undefined$/.test(message)
    ? 'is missing'
    : message
        .replace(/^Invalid input: (?:expected|Expected) /, 'must be ')
        .replace(/^Invalid/, 'has an invalid')

/** Fields of servers and command that hold a secret instead of naming a variable. The value is never repeated. */
function secretsIn(value: JsonValue | object, path = ''): readonly Complaint[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const here = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
    if (typeof inner === 'object' && inner !== null) return secretsIn(inner, here)
    if (typeof inner !== 'string' || holdsOnlyReferences(inner)) return []
    const isNamedSecret = /\.(?:env|headers)\.[^.]+$/.test(here) && isSecretName(name)
    const isFlagValue =
      Array.isArray(value) && isSecretFlag(value[Number(name) - 1]) && !inner.startsWith('-')
    return isNamedSecret || isFlagValue || maskSecrets(inner) !== inner ? [secretComplaint(here)] : []
  })
}

/** `--api-key`: the next word is its value. */
const isSecretFlag = (word: unknown): boolean =>
  typeof word === 'string' && word.startsWith('-') && isSecretName(word)

const secretComplaint = (field: string): Complaint => ({
  field,
  message: `${field} looks like a secret; secrets never stand in a profile`,
  remedy: `Write a reference such as "\${API_KEY}", and set the variable where the agent runs.`,
})

const withoutUndefined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
