import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'

/** The first line of a capability profile: format and version. */
export const profileVersion = 'audition/v1'

/** YAML reads `8080` and `true` as no strings; a command line and an environment hold nothing else. */
const word = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const text = z.string().trim().min(1, 'is empty')
const variables = z.record(z.string(), word)

const command = {
  command: text,
  args: z.array(word).optional(),
  env: variables.optional(),
  cwd: text.optional(),
}

/** An agent behind an address that speaks OpenAI's chat protocol. */
const chat = z.strictObject({
  /** Base URL, as OpenAI's clients take it: requests go to `<url>/chat/completions`. */
  url: text.refine((url) => /^(?:https?:\/\/\S|\$\{)/i.test(url), {
    message: 'must start with https:// or http://',
  }),
  model: text,
  headers: variables.optional(),
})

/** One MCP server that a profile needs, in the shape of a host's `mcpServers` entry. */
export const serverSchema = z
  .strictObject({
    type: text.optional(),
    ...command,
    command: text.optional(),
    url: text.optional(),
    headers: variables.optional(),
    tools: z.union([z.string(), z.array(z.string())]).optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    message: 'needs either a "command" to start or a "url" to call',
  })

/** A capability profile as it stands in YAML: backbone M, tools T, policy C, and what it takes to run it. */
export const profileSchema = z
  .strictObject({
    profile: z.literal(profileVersion),
    name: z
      .string()
      .regex(
        /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
        'must be lower-case words joined by hyphens, for example lease-reviewer',
      ),
    title: text.optional(),
    description: text,
    tags: z.array(text).default([]),
    examples: z.array(text).default([]),
    backbone: z
      .strictObject({ name: text, id: text.optional(), description: text.optional() })
      .nullable()
      .optional(),
    tools: z
      .array(
        z.strictObject({
          name: text,
          description: text.optional(),
          /** An entry of `servers` that has the tool. */
          server: text.optional(),
          /** The tool's card, when it comes from elsewhere. */
          id: text.optional(),
        }),
      )
      .default([]),
    servers: z.record(z.string(), serverSchema).default({}),
    run: z.strictObject(command).optional(),
    chat: chat.optional(),
    policy: z.custom<JsonObject>(isJsonObject, 'must be a map of settings').default({}),
    instructions: z.string().trim().optional(),
  })
  .superRefine((profile, context) => {
    const complain = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const ways = (['run', 'chat', 'backbone'] as const).filter((way) => (profile[way] ?? null) !== null)
    for (const way of ways.slice(0, -1)) {
      const reason = 'an agent runs on a model, as a command or behind a chat address'
      complain([way], `excludes "${ways.at(-1)}": ${reason}`)
    }
    if (ways.length === 0 && profile.backbone === undefined) {
      complain(['backbone'], 'is missing, and there is no "run" or "chat"')
    }
    for (const [index, { server }] of profile.tools.entries()) {
      if (server === undefined || Object.hasOwn(profile.servers, server)) continue
      complain(['tools', index, 'server'], `names "${server}", which is not among "servers"`)
    }
  })

/** A checked capability profile. */
export type Profile = z.output<typeof profileSchema>

/** A capability profile as it is written. */
export type ProfileFields = z.input<typeof profileSchema>
