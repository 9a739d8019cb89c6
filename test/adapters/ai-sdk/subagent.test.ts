import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { claudeArguments } from '../../../src/adapters/ai-sdk/agents/claude-command.ts'
import { subagentRuntime } from '../../../src/adapters/ai-sdk/agents/runtimes.ts'
import type { AgentCard } from '../../../src/domain/card.ts'
import { RuntimeError } from '../../../src/probing/ports.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'
import { type Behaviour, executorContract } from '../../probing/executor-contract.ts'
import { processesWith } from '../command/agents.ts'
import { agentCard, foreignCard, linesOf, runCard, servedModel } from './agents.ts'

const settings = { catalogFolder: '/opt/audition/catalog', version: '0.0.0' }
const text = `---
name: subject
description: Tells the time
tools: Read, Bash(git log:*), mcp__clock__now
model: sonnet
maxTurns: 3
permissionMode: plan
---
You tell the time.
`

const subagentCard = (markdown = text): AgentCard =>
  agentCard(
    { kind: 'claude-subagent', file: join(folderWith({ 'subject.md': markdown }), 'subject.md') },
    { agentKind: 'subagent' },
  )

const standIn = fileURLToPath(new URL('../../fixtures/claude-stand-in.mjs', import.meta.url))

/** A folder with a program `claude` that behaves so, and the environment that finds it. */
function installed(behaviour: string, result?: string) {
  const home = folderWith({ 'behaviour.json': JSON.stringify({ behaviour, result }), 'bin/keep': '' })
  copyFileSync(standIn, join(home, 'bin/claude'))
  chmodSync(join(home, 'bin/claude'), 0o755)
  const path = [join(home, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
  const environment = { ...process.env, PATH: path, CLAUDE_CONFIG_DIR: home }
  return {
    home,
    environment,
    seen: () => JSON.parse(readFileSync(join(home, 'seen.json'), 'utf8')),
  }
}

describe.skipIf(process.platform === 'win32')('in Claude Code', () => {
  const secret = 'sk-ant-Zq8-unguessable'
  executorContract('claude-subagent in claude', {
    async subject(behaviour: Behaviour) {
      const { home, environment } = installed(behaviour)
      return {
        executor: executorOf(subagentRuntime, {
          ...settings,
          languageModel: null,
          environment: { ...environment, ANTHROPIC_API_KEY: secret },
          runner: 'claude',
        }),
        card: subagentCard(),
        task: { text: 'What time is it?' },
        answer: 'It is noon.',
        secret,
        leftovers: () => processesWith(home),
      }
    },
    foreign: foreignCard,
    async broken() {
      const environment = { PATH: folderWith({ a: '' }) }
      return {
        executor: executorOf(subagentRuntime, {
          ...settings,
          languageModel: null,
          environment,
          runner: 'claude',
        }),
        card: subagentCard(),
      }
    },
  })

  test('it gets the prompt, the task, its limits, and of our secrets only its own', async () => {
    const { environment, seen } = installed('answers')
    const executor = executorOf(subagentRuntime, {
      ...settings,
      languageModel: null,
      environment: { ...environment, ANTHROPIC_API_KEY: 'k-1', GITHUB_TOKEN: 'ours' },
      runner: 'claude',
    })
    const execution = await runCard(executor, subagentCard(), { cost: 0.5, steps: 9 }, 'What time?')
    expect(execution).toMatchObject({
      ending: 'answered',
      answer: 'It is noon. What time?',
      tokens: { input: 12, output: 6 },
      cost: 0.0125,
    })
    const { words, task, cwd, env } = seen()
    expect(task).toBe('What time?')
    expect(words).toEqual([
      '-p',
      '--output-format',
      'json',
      '--no-session-persistence',
      '--strict-mcp-config',
      '--permission-mode',
      'dontAsk',
      '--max-turns',
      '3',
      '--max-budget-usd',
      '0.5',
      '--system-prompt=You tell the time.',
      '--tools=Read,Bash',
      '--model=sonnet',
    ])
    expect(existsSync(cwd)).toBe(false)
    expect(env).toMatchObject({ ANTHROPIC_API_KEY: 'k-1' })
    expect(env).not.toHaveProperty('GITHUB_TOKEN')
    expect(linesOf(execution)).toContain('status: tools not attached: mcp__clock__now')
  })

  test.each([
    { why: 'turns', result: { subtype: 'error_max_turns', is_error: true, num_turns: 4 }, ending: 'limit' },
    { why: 'money', result: { subtype: 'error_max_budget_usd', is_error: true }, ending: 'limit' },
    { why: 'tokens', result: { result: 'x', usage: { input_tokens: 60_000 } }, ending: 'limit' },
    { why: 'nothing said', result: { result: ' ' }, ending: 'failed' },
    { why: 'a list of all messages', result: { result: 'noon' }, ending: 'answered', asList: true },
  ])('$why ends as $ending', async ({ result, ending, asList }) => {
    const message = { type: 'result', is_error: false, ...result }
    const printed = JSON.stringify(asList ? [{ type: 'system' }, message] : message)
    const { environment } = installed('prints', printed)
    const executor = executorOf(subagentRuntime, {
      ...settings,
      languageModel: null,
      environment,
      runner: 'claude',
    })
    expect(await runCard(executor, subagentCard())).toMatchObject({ ending })
  })

  test('what is no result is a failure, and being logged out is none of the agent', async () => {
    const run = (printed: string) => {
      const { environment } = installed('prints', printed)
      const executor = executorOf(subagentRuntime, {
        ...settings,
        languageModel: null,
        environment,
        runner: 'claude',
      })
      return runCard(executor, subagentCard())
    }
    expect(await run('Segmentation fault')).toMatchObject({
      ending: 'failed',
      failure: 'it exited with code 0, and gave no result',
    })
    const loggedOut = { type: 'result', is_error: true, result: 'Invalid API key · Please run /login' }
    await expect(run(JSON.stringify(loggedOut))).rejects.toThrow(RuntimeError)
  })

  describe('with the MCP servers that it names', () => {
    const value = 'quiet-otter-9182'
    const clock = {
      command: process.execPath,
      args: ['-e', 'console.log(process.cwd())', './clock.js'],
      env: { CLOCK_VALUE: `$${'{CLOCK_VALUE}'}` },
    }
    /** A project of Claude Code with a sub-agent, and who runs it. */
    function clerk(matter: string, behaviour: string, printed?: string) {
      const { home, environment, seen } = installed(behaviour, printed)
      const folder = folderWith({
        '.mcp.json': JSON.stringify({
          mcpServers: { clock, 'day book': clock, off: { ...clock, disabled: true } },
        }),
        '.claude/agents/clerk.md': `---\nname: clerk\ndescription: Keeps time\n${matter}\n---\nKeep time.\n`,
        'home/.claude.json': JSON.stringify({
          mcpServers: { mail: { type: 'http', url: 'https://mail.example/mcp' } },
        }),
      })
      copyFileSync(join(folder, 'home/.claude.json'), join(home, '.claude.json'))
      const card = agentCard(
        { kind: 'claude-subagent', file: join(folder, '.claude/agents/clerk.md') },
        { name: 'clerk', agentKind: 'subagent' },
      )
      const executor = executorOf(subagentRuntime, {
        ...settings,
        languageModel: null,
        environment: { ...environment, CLOCK_VALUE: value },
        runner: 'claude',
      })
      return { folder, card, executor, seen }
    }

    test('it gets these, each with a permit of its own, started where its project is', async () => {
      const tools = 'tools: Read, mcp__clock__now, mcp__day_book, mcp__mail__send, mcp__off__x, mcp__gone__x'
      const { folder, card, executor, seen } = clerk(tools, 'answers')
      const { needs, binds, display } = await executor.plan(card)
      const permits = [`mcp:${folder}/.mcp.json#clock`, `mcp:${folder}/.mcp.json#day book`]
      expect(needs.slice(1, 3)).toEqual(permits)
      expect(needs[3]).toMatch(/^mcp:.*\.claude\.json#mail$/)
      for (const permit of needs.slice(1)) expect(binds).toHaveProperty([permit])
      expect(display).toContain(permits[0])
      const execution = await runCard(executor, card)
      expect(linesOf(execution)).toContain('status: tools not attached: mcp__off__x, mcp__gone__x')
      const { words, servers, config, cwd } = seen()
      expect(words).toContain('--allowedTools=mcp__clock__now,mcp__day_book,mcp__mail__send')
      expect(words).toContain('--tools=Read')
      expect(Object.keys(servers)).toEqual(['clock', 'day_book', 'mail'])
      expect(servers.mail).toMatchObject({ type: 'http', url: 'https://mail.example/mcp' })
      expect(servers.clock.env).toEqual({ CLOCK_VALUE: value })
      const { command, args } = servers.clock
      expect(realpathSync(execFileSync(command, args, { encoding: 'utf8' }).trim())).toBe(
        realpathSync(folder),
      )
      expect(dirname(config)).not.toBe(cwd)
      expect(existsSync(config)).toBe(false)
    })

    test('what they are started with is masked, and what did not come up is told', async () => {
      const init = {
        type: 'system',
        subtype: 'init',
        tools: ['mcp__clock__now'],
        mcp_servers: [
          { name: 'clock', status: 'connected' },
          { name: 'day_book', status: 'failed' },
        ],
      }
      const printed = JSON.stringify([init, { type: 'result', is_error: false, result: `It is ${value}.` }])
      const tools = 'tools: mcp__clock__now, mcp__clock__then, mcp__day_book__read'
      const { card, executor } = clerk(tools, 'prints', printed)
      const execution = await runCard(executor, card)
      expect(execution.answer).toBe('It is ***.')
      expect(linesOf(execution)).toContain(
        'status: tools not attached: mcp__clock__then, mcp__day_book__read',
      )
    })

    test('one with all tools of its host is told to lack those of its servers', async () => {
      const { card, executor, seen } = clerk('model: sonnet', 'answers')
      expect((await executor.plan(card)).needs).toHaveLength(1)
      const execution = await runCard(executor, card)
      expect(linesOf(execution)).toContain('status: tools not attached: mcp__clock, mcp__day_book, mcp__mail')
      expect(seen().config).toBeUndefined()
    })

    test('a server of its own file is started, and a name cannot allow more than itself', async () => {
      const own = `mcpServers:\n  mine:\n    command: ${JSON.stringify(process.execPath)}\ntools:\n  - Read\n  - "mcp__clock__now Bash"`
      const { folder, card, executor, seen } = clerk(own, 'answers')
      expect((await executor.plan(card)).needs[1]).toBe(`mcp:${folder}/.claude/agents/clerk.md#mine`)
      await runCard(executor, card)
      const { words } = seen()
      expect(words).toContain('--allowedTools=mcp__mine')
    })
  })

  test('no word of a sub-agent can be taken for an option', () => {
    const words = claudeArguments(
      {
        instructions: '--dangerously-skip-permissions',
        tools: [{ name: '--mcp-config' }],
        backbone: { name: '--verbose' },
        policy: {},
      },
      { steps: 2, cost: null },
    )
    expect(words.filter((word) => word.startsWith('--dangerously') || word === '--verbose')).toEqual([])
    expect(words).toContain('--system-prompt=--dangerously-skip-permissions')
  })
})

describe('on the configured model', () => {
  const secret = 'key-77c1e5a0b1'
  executorContract('claude-subagent', {
    async subject(behaviour: Behaviour) {
      const model = await servedModel(({ headers }) => {
        switch (behaviour) {
          case 'answers':
            return { text: 'It is noon.' }
          case 'fails':
            return { text: '' }
          case 'hangs':
            return { hangs: true }
          case 'floods':
            return { floods: true }
          case 'tells-secret':
            return { text: `I was called with ${String(headers['x-api-key'])}.` }
          case 'fails-with-secret':
            return { text: `Called with ${String(headers['x-api-key'])}`, finish: 'content_filter' }
        }
      })
      return {
        executor: executorOf(subagentRuntime, {
          ...settings,
          languageModel: { spec: model.spec('anthropic'), key: secret },
          environment: process.env,
        }),
        card: subagentCard(),
        task: { text: 'What time is it?' },
        answer: 'It is noon.',
        secret,
        leftovers: async () => {
          for (let turn = 0; turn < 200 && model.open() > 0; turn++)
            await new Promise((resolve) => setTimeout(resolve, 10))
          return model.open() === 0 ? [] : ['a request']
        },
      }
    },
    foreign: foreignCard,
    async broken() {
      const executor = executorOf(subagentRuntime, { ...settings, languageModel: null, environment: {} })
      return { executor, card: subagentCard() }
    },
  })

  test('the file is the system prompt; what cannot be had is told', async () => {
    const model = await servedModel([{ text: 'noon' }])
    const executor = executorOf(subagentRuntime, {
      ...settings,
      languageModel: { spec: model.spec('anthropic', 'claude-haiku-4-5') },
      environment: { PATH: folderWith({ a: '' }) },
      runner: 'claude',
    })
    const execution = await runCard(executor, subagentCard(), {}, 'What time?')
    expect(model.requests[0]?.body).toMatchObject({
      system: [{ text: 'You tell the time.' }],
      messages: [{ role: 'user', content: [{ text: 'What time?' }] }],
    })
    expect(model.requests[0]?.body).not.toHaveProperty('tools')
    expect(linesOf(execution)).toEqual([
      expect.stringMatching(/^status: model: anthropic:\S+, in place of sonnet, which the agent names$/),
      'status: the command claude is not on PATH',
      'status: tools of its host, not offered here: Read, Bash(git log:*), mcp__clock__now',
      'status: settings of the policy not applied: permissionMode',
      'message: noon',
    ])
  })

  test.each([
    {
      why: 'the file comes from the network',
      file: 'https://x.test/subject.md',
      says: 'nothing from the network',
    },
    { why: 'the file is gone', file: '/no/such/subject.md', says: 'does not exist' },
    { why: 'the path is no absolute one', file: 'subject.md', says: 'no absolute path' },
  ])('nothing is run when $why', async ({ file, says }) => {
    const executor = executorOf(subagentRuntime, {
      ...settings,
      languageModel: { spec: 'ollama:tiny' },
      environment: {},
    })
    const card = agentCard({ kind: 'claude-subagent', file })
    await expect(executor.plan(card)).rejects.toThrow(RuntimeError)
    await expect(executor.plan(card)).rejects.toThrow(says)
  })

  test.each([
    { why: 'another agent', markdown: text.replace('name: subject', 'name: other'), says: '"other"' },
    { why: 'no sub-agent any more', markdown: 'Just a note.', says: /\S/ },
  ])('a file that holds $why is not run', async ({ markdown, says }) => {
    const executor = executorOf(subagentRuntime, {
      ...settings,
      languageModel: { spec: 'ollama:tiny' },
      environment: {},
    })
    const error = await executor.plan(subagentCard(markdown)).catch((reason) => reason)
    expect(error).toBeInstanceOf(RuntimeError)
    expect(error.message).toMatch(says)
  })
})
