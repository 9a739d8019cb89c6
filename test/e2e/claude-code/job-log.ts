import { writeFileSync } from 'node:fs'
import { type Asked, blocksOf } from './session.ts'

/** What sessions did, as a page for people; written only where `AUDITION_JOB_LOG` names a file. */
export function jobLog() {
  const parts = new Map<string, string>()
  return {
    /** @param after - lines of what was looked at when the session was over */
    job(heading: string, asked: readonly Asked[], after: readonly string[]) {
      parts.set(heading, fenced([...linesOf(asked), ...after].join('\n')))
    },
    /** @param folder - the place of the run, which the page does not tell */
    write(folder: string) {
      const path = process.env.AUDITION_JOB_LOG
      if (path === undefined) return
      const jobs = [...parts].map(([heading, text]) => `## ${heading}\n\n${text}`)
      const text = [head, ...jobs].join('\n\n').replaceAll(folder, '…').replaceAll(process.execPath, 'node')
      writeFileSync(path, `${text}\n`)
    },
  }
}

const head = `# Jobs in the real Claude Code

What a scripted model was sent by Claude Code with the plugin, and what it said. \`AUDITION_JOB_LOG=docs/lab/claude-code-job.md npm run claude-code-job\`
writes this page anew; \`test/e2e/claude-code/job.test.ts\` is the script. The model's part is scripted, the rest is not. A \`*\` marks a tool that is sent for later loading. Long
texts are cut.`

const fenced = (text: string): string => `\`\`\`\`text\n${text}\n\`\`\`\``

/** The tools that the model was sent, and the conversation of the last request. */
function linesOf(asked: readonly Asked[]): readonly string[] {
  const seen = new Set<string>()
  const tools = asked.flatMap((body, at) => {
    const fresh = toolsOf(body).filter((name) => !seen.has(name))
    for (const name of fresh) seen.add(name)
    return fresh.length === 0 ? [] : [`request ${at + 1} has${at === 0 ? '' : ' also'}: ${fresh.join(' ')}`]
  })
  const said = blocksOf(asked.at(-1)!).flatMap(({ role, type, text = '', name, input, content }) => {
    if (type === 'tool_use') return [`model:  ${name} ${JSON.stringify(input)}`]
    if (type === 'tool_result') return [`result: ${cut(textOf(content), 900)}`]
    const hint = /Audition found an installed agent[^\n]*/.exec(text)?.[0]
    if (hint !== undefined) return [`host:   ${hint}`]
    const isHost = role === 'system' || /<system-reminder>|^Tool loaded/.test(text)
    return isHost ? [] : [`${role === 'user' ? 'user' : 'model'}:`.padEnd(8) + cut(text, 900)]
  })
  return [...tools, ...said]
}

const toolsOf = ({ tools = [] }: Asked): readonly string[] =>
  tools
    .map(({ name, defer_loading }) => `${name}${defer_loading ? '*' : ''}`)
    .filter((name) => name.startsWith('mcp__') || name.startsWith('ToolSearch'))

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (content as readonly { text?: string; tool_name?: string }[])
        .map(({ text, tool_name }) => text ?? `[${tool_name}]`)
        .join(' ')

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)} …`
