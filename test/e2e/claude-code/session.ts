import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { JsonObject } from '../../../src/domain/json.ts'

export const program = join(
  import.meta.dirname,
  'node_modules',
  '@anthropic-ai',
  'claude-code',
  'cli-wrapper.cjs',
)

/** Whether `npm run claude-code-job` installed Claude Code. */
export const hasClaudeCode = existsSync(program)

export const title = hasClaudeCode
  ? 'the real Claude Code'
  : 'skipped: @anthropic-ai/claude-code is not installed (npm run claude-code-job)'

type Block = {
  readonly type: string
  readonly text?: string
  readonly name?: string
  readonly tool_name?: string
  readonly input?: JsonObject
  readonly content?: string | readonly Block[]
}

type Message = { readonly role: string; readonly content: string | readonly Block[] }

/** A request to the model, as far as it is read here. */
export type Asked = {
  readonly tools?: readonly { readonly name: string; readonly defer_loading?: boolean }[]
  readonly messages: readonly Message[]
}

/** What the model says: a text, or a call of a tool. */
type Said = string | { readonly name: string; readonly input: JsonObject }

/** The next thing that the model says, by what it was asked. */
export type Turn = (asked: Asked) => Said

type ScriptedModel = {
  scriptedModel(
    replies: readonly ((body: Asked) => unknown)[],
  ): Promise<{ readonly url: string; readonly bodies: readonly Asked[]; close(): void }>
  claudeReply(said: Said | (Exclude<Said, string> & { readonly id: string })): unknown
  claudeStream(reply: unknown): unknown
}

const scripted = pathToFileURL(
  join(import.meta.dirname, '..', '..', '..', 'examples', 'hosts', 'scripted-model.mjs'),
).href

/** Runs the program itself: `claude ...`. */
export async function claude(argv: readonly string[], place: { cwd: string; home: string; env?: object }) {
  const { cwd, home, env } = place
  const child = promisify(execFile)(process.execPath, [program, ...argv], {
    cwd,
    maxBuffer: 1 << 26,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...env,
    },
  })
  child.child.stdin?.end()
  return (await child).stdout
}

type Asking = {
  readonly cwd: string
  readonly home: string
  readonly prompt: string
  readonly turns: readonly Turn[]
  readonly argv?: readonly string[]
  readonly settings?: object
}

/** A model for Claude Code that says what the turns say, and what it was sent. */
export async function scriptedClaude(turns: readonly Turn[]) {
  const { scriptedModel, claudeReply, claudeStream } = (await import(scripted)) as ScriptedModel
  const left = [...turns]
  const asked: Asked[] = []
  let calls = 0
  const model = await scriptedModel([
    (body) => {
      // The session also asks for titles and the like, without tools.
      if ((body?.tools ?? []).length === 0) return claudeStream(claudeReply('A title'))
      asked.push(body)
      const said = left.shift()?.(body) ?? 'Done.'
      return claudeStream(claudeReply(typeof said === 'string' ? said : { ...said, id: `toolu_${calls++}` }))
    },
  ])
  return { model, asked }
}

/** One prompt to Claude Code, whose model says what the turns say; what that was sent, and the last answer. */
export async function session({ cwd, home, prompt, turns, argv = [], settings = {} }: Asking) {
  const { model, asked } = await scriptedClaude(turns)
  try {
    const env = {
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: model.url,
      // An address that is not Anthropic's gets every tool loaded otherwise.
      ENABLE_TOOL_SEARCH: 'true',
    }
    const allowed = JSON.stringify({ enableAllProjectMcpServers: true, ...settings })
    const answer = await claude(
      ['-p', prompt, '--model', 'claude-sonnet-5-5', '--settings', allowed, ...argv],
      { cwd, home, env },
    )
    return { asked, answer: answer.trim() }
  } finally {
    model.close()
  }
}

/** The blocks of a conversation, in order. */
export const blocksOf = ({ messages }: Asked): readonly (Block & { readonly role: string })[] =>
  messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block) => ({
      ...block,
      role,
    })),
  )

/** The text of what the last called tool gave. */
export function resultOf(asked: Asked): string {
  const { content = '' } = blocksOf(asked).findLast(({ type }) => type === 'tool_result') ?? {}
  return typeof content === 'string'
    ? content
    : content.map(({ text, tool_name }) => text ?? tool_name).join('\n')
}

/** The names of the tools that the last called tool loaded. */
export function loadedBy(asked: Asked): readonly string[] {
  const { content = [] } = blocksOf(asked).findLast(({ type }) => type === 'tool_result') ?? {}
  return typeof content === 'string' ? [] : content.flatMap(({ tool_name }) => tool_name ?? [])
}
