import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { choice, defineCommand, flag, type Flags, number, text, texts, whole } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'
import type { Findability, FindabilityRequest } from '../../evaluation/findability/findability.ts'
import type { SearchedTool } from '../../evaluation/host-rankers/host-ranker.ts'
import { findableLines, findableMarkdown } from '../render/findable-lines.ts'

const hosts = ['claude-code', 'ai-sdk', 'bm25', 'audition'] as const

const options = {
  requests: text(
    '--requests <file>',
    'what people ask: JSON Lines or YAML of {request, tool} (default: generated from the tools)',
  ),
  written: whole('--written <count>', 'requests per tool, written by the model in AUDITION_LLM', [1, 20]),
  host: texts('--host <names>', `hosts, with commas: ${hosts.join(',')} (default: all)`),
  among: text(
    '--among <which>',
    'tools of others beside yours: typical (200 that ship with Audition, the default), none, or a file with a tools/list result',
  ),
  as: text('--as <name>', "the server's name in hosts (default: as it is configured, or the file's)"),
  min: number('--min <percent>', 'end with exit code 1 where a host has less at hit@5', [0, 100]),
  yes: flag('--yes', 'start the server without asking'),
  timeout: number('--timeout <seconds>', 'how long the server may take (default: 30)', [1, 600]),
  format: choice('--format <form>', 'text (default), json, or markdown for a pull request', [
    'text',
    'json',
    'markdown',
  ]),
  json: flag('--json', 'the same as --format json'),
}

type FindableFlags = Flags<typeof options>

/** `audition findable`. */
export const command = defineCommand({
  description: [
    'For people who write MCP servers: ranks each of your tools among 200 typical ones of other servers, as Claude Code, the',
    'AI SDK, BM25 and Audition search them, for your own requests. Shows which tools are confused and by which words, and',
    'descriptions and search hints that were measured to help. Needs no key and no index.',
  ].join(' '),
  arguments: [
    {
      syntax: '[server]',
      description:
        'a folder with mcp.json (default: this one), a configuration, a file with a tools/list result, a configured server or a source',
    },
  ],
  options,
  examples: [
    { line: 'audition findable', does: 'the server of this folder, by requests made of its own words' },
    { line: 'audition findable --requests requests.jsonl', does: 'by what people ask: {"request", "tool"}' },
    { line: 'audition findable github --host claude-code', does: 'a server that a host has, in one host' },
    { line: 'audition findable tools.json --as acme', does: 'a tools/list result, and the name in hosts' },
    { line: 'audition findable --yes --min 80 --format markdown', does: 'for CI' },
  ],
  async run({ words: [word = '.'], flags }, context) {
    if (flags.requests !== undefined && flags.written !== undefined)
      throw new UsageError('--requests and --written exclude each other.')
    const chosen = hostsOf(flags.host)
    const requestsFor = await requestsOf(flags, context)
    const among = await amongOf(flags.among, context)
    const { toolsNamed } = await import('../ask/own-tools.ts')
    const tools = await toolsNamed(word, flags, context)
    const audition = await context.audition()
    const result = await audition.findability({
      tools,
      among,
      hosts: chosen,
      signal: context.signal,
      ...requestsFor(tools),
    })
    await print(result, flags, context)
    return isEnough(result, flags.min, context) ? exitCodes.done : exitCodes.failed
  },
})

/** @throws UsageError for a host that is unknown */
function hostsOf(given: readonly string[]): readonly string[] {
  const names = given.flatMap((list) => list.split(',')).map((name) => name.trim())
  const unknown = names.find((name) => !hosts.some((host) => host === name))
  if (unknown !== undefined)
    throw new UsageError(`--host: no host "${unknown}". There are: ${hosts.join(', ')}.`)
  return names.length === 0 ? hosts : names
}

async function amongOf(given = 'typical', { terminal }: Context): Promise<FindabilityRequest['among']> {
  if (given === 'typical' || given === 'none') return given
  const path = resolve(terminal.cwd, given)
  const [{ openDocument }, { toolsOfFile }] = await Promise.all([
    import('../../catalog/source-document.ts'),
    import('../../evaluation/findability/own-tools.ts'),
  ])
  const tools = existsSync(path) ? toolsOfFile(openDocument(path, given), 'others') : undefined
  if (tools !== undefined) return tools
  throw new UsageError(`--among takes typical, none, or a file with a tools/list result, not "${given}".`)
}

/** What is asked of the tools: a file is read now, before their server is started. */
async function requestsOf(
  { requests, written }: FindableFlags,
  { terminal }: Context,
): Promise<(tools: readonly SearchedTool[]) => Pick<FindabilityRequest, 'requests'>> {
  if (written !== undefined) return () => ({ requests: { perTool: written } })
  if (requests === undefined) return () => ({})
  const { requestsFor, writtenRequests } = await import('../../evaluation/findability/tool-requests.ts')
  const read = writtenRequests(resolve(terminal.cwd, requests))
  return (tools) => ({ requests: requestsFor(tools, read) })
}

async function print(result: Findability, flags: FindableFlags, context: Context): Promise<void> {
  const format = flags.json ? 'json' : (flags.format ?? 'text')
  if (format === 'json') return context.printJson(result)
  const lines =
    format === 'markdown'
      ? findableMarkdown(result, flags.min)
      : findableLines(result, context.terminal.stdout)
  context.print(...lines)
}

function isEnough({ hosts: measured }: Findability, min: number | undefined, context: Context): boolean {
  const below = measured.filter(({ hit5 }) => min !== undefined && hit5 * 100 < min)
  for (const { title, hit5 } of below)
    context.log(`${title}: hit@5 is ${(hit5 * 100).toFixed(1)}, below ${min}.`)
  return below.length === 0
}
