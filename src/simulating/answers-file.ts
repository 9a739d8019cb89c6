import { createHash, createHmac, randomBytes } from 'node:crypto'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { opener } from '../domain/once.ts'
import { maskedJson } from '../domain/text/masked-json.ts'
import { parseSealed, sealed } from '../domain/text/sealed-json.ts'
import { mask, maskTokens } from '../domain/text/secrets.ts'
import type { AnswerStore, KeptAnswer } from './ports.ts'

const json = z.custom<JsonValue>()
const jsonObject = z.custom<JsonObject>(isJsonObject)

const line = z.object({
  tool: z.string(),
  arguments: jsonObject,
  secrets: z.string().optional(),
  state: z.string(),
  answer: z.object({
    content: z.array(jsonObject),
    structured: json.optional(),
    failed: z.boolean(),
  }),
  from: z.enum(['real', 'model', 'made-up']),
  model: z.string().optional(),
})

/** Who is believed first. */
const trust = { real: 2, model: 1, 'made-up': 0 } as const

/**
 * Answers of one server, a line of JSON each, the newest last. A line that is damaged is passed over.
 *
 * @param file - absolute; made when the first answer is kept
 * @param more - further answers of the real tools, kept elsewhere, the newest last
 */
export async function answersIn(file: string, more: readonly KeptAnswer[] = []): Promise<AnswerStore> {
  const known = new Map<string, KeptAnswer>()
  const real = new Map<string, KeptAnswer>()
  const ofTool = new Map<string, KeptAnswer[]>()
  const enter = (kept: KeptAnswer): void => {
    const key = keyOf(kept)
    const before = known.get(key)
    if (before === undefined || trust[kept.from] >= trust[before.from]) known.set(key, kept)
    if (kept.from !== 'real') return
    real.set(callKey(kept), kept)
    const others = ofTool.get(kept.tool) ?? []
    ofTool.set(kept.tool, others)
    others.push(kept)
  }
  for (const kept of [...more, ...(await linesOf(file))]) enter(kept)
  const keyFile = join(dirname(file), 'secrets.key')
  let key = await textOf(keyFile)
  const makeFolder = opener(() => mkdir(dirname(file), { recursive: true, mode: 0o700 }))
  const append = async (kept: KeptAnswer): Promise<void> => {
    await makeFolder()
    await appendFile(file, `${sealed(JSON.stringify(kept))}\n`, { mode: 0o600 })
  }
  let written: Promise<void> = Promise.resolve()
  return {
    find: (call) => known.get(keyOf(masked(call, key))),
    findReal: (call) => real.get(callKey(masked(call, key))),
    examples: (tool, count) => ofTool.get(tool)?.slice(-count) ?? [],
    async keep(given) {
      if (key === '' && masked(given, key).secrets !== undefined) {
        await makeFolder()
        key = await keyIn(keyFile)
      }
      const { secrets, ...asked } = masked(given, key)
      const kept = {
        ...(maskedJson(asked as unknown as JsonValue, maskTokens) as unknown as KeptAnswer),
        ...(secrets === undefined ? {} : { secrets }),
      }
      enter(kept)
      // Whoever kept the one before was told of its failure.
      written = written.catch(() => undefined).then(() => append(kept))
      await written
      return kept
    },
  }
}

/** Empty where there is no such file. */
const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })

/** The key of hashes, made where there is none. */
async function keyIn(file: string): Promise<string> {
  await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error // another process made it
    },
  )
  return textOf(file)
}

async function linesOf(file: string): Promise<readonly KeptAnswer[]> {
  return (await textOf(file)).split('\n').flatMap((one) => {
    try {
      return one === '' ? [] : [line.parse(parseSealed(one)) as KeptAnswer]
    } catch {
      return []
    }
  })
}

type Call = Pick<KeptAnswer, 'tool' | 'arguments' | 'secrets'>

/** What is kept holds no secret: a call which holds one is looked up by a keyed hash of all that it says. Without a key none is found. */
function masked<Asked extends Call>(call: Asked, key: string): Asked {
  const shown = maskedJson(withoutNamedSecrets(call.arguments), maskTokens) as JsonObject
  if (!JSON.stringify(shown).includes(mask)) return { ...call, arguments: shown }
  const secrets =
    key === '' ? 'unknown' : createHmac('sha256', key).update(ordered(call.arguments)).digest('hex')
  return { ...call, arguments: shown, secrets }
}

/** Members whose name alone says that nobody may see them. Of milder names, `key` or `token`, many are no secrets. */
const secretMember = /passw(?:or)?d|passphrase|secret|credential|api[-_]?key|authori[sz]ation/i

function withoutNamedSecrets(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNamedSecrets)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    typeof member === 'string' && secretMember.test(name) ? mask : withoutNamedSecrets(member),
  ])
  return Object.fromEntries(members)
}

const callKey = ({ tool, arguments: given, secrets = '' }: Call): string =>
  `${tool} ${keyOfJson(given)} ${secrets}`
const keyOf = (call: Call & Pick<KeptAnswer, 'state'>): string => `${call.state} ${callKey(call)}`

/** The same for values that say the same, in whatever order their members come. */
export const keyOfJson = (value: JsonValue): string =>
  createHash('sha256').update(ordered(value)).digest('hex').slice(0, 32)

const ordered = (value: JsonValue): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : member,
  )
