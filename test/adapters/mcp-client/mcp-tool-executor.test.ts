import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ArgumentsError, RuntimeError } from '../../../src/probing/ports.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'
import { processesWith } from '../command/agents.ts'
import { configured, inputSchema, runTool, serverOf, serverProgram, toolCard, toolExecutor } from './tools.ts'

describe('a tool', () => {
  test('is called with the arguments of the task, and its answer is the text it gives', async () => {
    const { card } = serverOf('echo')
    const task = { text: 'Whatever', arguments: { text: 'hay', times: 3 } }
    const { answer, transcript } = await runTool(card, { task })
    expect(answer).toBe('Worked on: hay hay hay')
    expect(transcript).toMatchObject([
      { kind: 'status', text: expect.stringContaining(serverProgram) },
      { kind: 'status', text: 'connected to subject 0.0.1' },
      { kind: 'tool-call', tool: 'work', arguments: task.arguments },
      { kind: 'tool-result', tool: 'work', text: answer, failed: false },
    ])
  })

  test('may answer in structure alone, which is its text as well', async () => {
    expect(await runTool(serverOf('structured').card)).toMatchObject({
      answer: '{"given":{"text":"hay"}}',
      structured: { given: { text: 'hay' } },
    })
  })

  test('may answer in blocks: what is no text is named, and a bare text is one', async () => {
    const { answer } = await runTool(serverOf('blocks').card)
    expect(answer.split('\n')).toEqual([
      'one',
      '[image image/png, 3 bytes]',
      'two',
      '[link to file:///b.txt]',
      'no block',
    ])
  })

  test('may say how far it is', async () => {
    const { transcript } = await runTool(serverOf('progress').card)
    const said = transcript.flatMap((event) => (event.kind === 'status' ? [event.text] : []))
    expect(said.slice(2)).toEqual(['1 of 2: going', '2 of 2: going'])
  })
})

describe('a server that misbehaves', () => {
  test.each([
    { behaviour: 'error', ending: 'failed', says: /^I could not do it$/ },
    { behaviour: 'refusal', ending: 'failed', says: /answered tools\/call with error -32603: out of order/ },
    {
      behaviour: 'crash',
      ending: 'failed',
      says: /process exited with code 1 before it answered[\s\S]*out of luck/,
    },
    { behaviour: 'crash-at-start', ending: 'failed', says: /process exited with code 1 before it answered/ },
    { behaviour: 'exit', ending: 'failed', says: /process exited with code 0 before it answered/ },
    { behaviour: 'other-tool', ending: 'failed', says: /^its server has no tool "work" any more$/ },
    { behaviour: 'nonsense', ending: 'failed', says: /is not what the protocol asks for/ },
    { behaviour: 'binary', ending: 'failed', says: /process exited with code 0 before it answered/ },
    { behaviour: 'flood-stdout', ending: 'failed', says: /prints text on stdout instead of MCP messages/ },
    { behaviour: 'never-shake', ending: 'limit', says: /^it did not answer within 1\.5 s$/ },
    { behaviour: 'garbage-answer', ending: 'limit', says: /^it did not answer within 1\.5 s$/ },
    { behaviour: 'wrong-id', ending: 'limit', says: /^it did not answer within 1\.5 s$/ },
    { behaviour: 'progress-for-ever', ending: 'limit', says: /^it did not answer within 1\.5 s$/ },
  ])('and is of the sort $behaviour ends as $ending', async ({ behaviour, ending, says }) => {
    const { card, mark } = serverOf(behaviour)
    const seconds = ending === 'limit' ? 1.5 : 60
    const execution = await runTool(card, { limits: { seconds } })
    expect(execution).toMatchObject({ ending, answer: '' })
    expect(execution.failure).toMatch(says)
    expect(processesWith(mark)).toEqual([])
  })

  test.each([
    { behaviour: 'twice', answer: 'first' },
    { behaviour: 'invalid-utf8', answer: 'caf\ufffd' },
    { behaviour: 'daemon', answer: 'Worked on: hay' },
    { behaviour: 'own-session', answer: 'Worked on: hay' },
  ])(
    'but answers, as $behaviour does, has answered; what it left behind is gone',
    async ({ behaviour, answer }) => {
      const { card, mark } = serverOf(behaviour)
      expect(await runTool(card)).toMatchObject({ ending: 'answered', answer })
      if (process.platform === 'linux') expect(processesWith(mark)).toEqual([])
    },
  )
})

describe('arguments', () => {
  test.each([
    { why: 'there are none', given: undefined, says: 'needs arguments: text' },
    { why: 'one is missing', given: {}, says: `must have required property 'text'` },
    { why: 'one is of another type', given: { text: 3 }, says: '/text must be string' },
    { why: 'one is too small', given: { text: 'a', times: 0 }, says: '/times must be >= 1' },
    { why: 'one is unknown', given: { text: 'a', colour: 1 }, says: 'additional properties ("colour")' },
  ])('that do not fit are refused before anything starts: $why', async ({ given, says }) => {
    const card = configured({ command: process.execPath, args: ['-e', 'process.abort()'] })
    const task = { text: 'Work', ...(given === undefined ? {} : { arguments: given }) }
    const error: unknown = await runTool(card, { task }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ArgumentsError)
    expect((error as ArgumentsError).message).toContain(says)
  })

  test('are not needed where the schema asks for none', async () => {
    const { card } = serverOf('structured')
    const bare = { ...card, inputSchema: { type: 'object' } }
    expect(await runTool(bare, { task: { text: 'Work' } })).toMatchObject({ structured: { given: {} } })
  })

  test.each([
    { why: 'a pattern that would never end', text: { pattern: '^(a+)+$' } },
    { why: 'a reference to nowhere', text: { $ref: 'https://example.com/none.json' } },
    { why: 'an unknown type', text: { type: 'words' } },
  ])('are left to the server where its schema cannot be used: $why', async ({ text }) => {
    const { card } = serverOf('echo')
    const odd = { ...card, inputSchema: { ...inputSchema, properties: { text } } }
    const hay = 'a'.repeat(50)
    const execution = await runTool(odd, { task: { text: 'Work', arguments: { text: `${hay}!` } } })
    expect(execution.answer).toBe(`Worked on: ${hay}!`)
  })
})

describe('what is planned', () => {
  const plan = (card: Parameters<typeof runTool>[0]) => toolExecutor({ PATH: process.env.PATH }).plan(card)

  test('names the entry, and the command line with secrets masked', async () => {
    const card = configured({ command: 'sh', args: ['-c', 'x', '--token', 'hunter2-Zq8'], env: { KEY: 'k' } })
    const config = card.runtime?.kind === 'mcp' ? card.runtime.config : ''
    expect(await plan(card)).toEqual({
      permit: `mcp:${config}#subject`,
      needs: [],
      binds: {
        [`mcp:${config}#subject`]: {
          place: `${config}#subject`,
          digest: expect.stringMatching(/^[\da-f]{32}$/),
          words: [
            expect.stringMatching(/^program: \S+ \(sh\)$/),
            'arguments: -c x --token ***',
            expect.stringMatching(/^folder: /),
            'variable KEY',
          ],
        },
      },
      within: expect.stringMatching(/^no sandbox: .* at most 300 s of processor time, 2 GiB of memory/),
      display: 'sh -c x --token ***',
      host: null,
    })
  })

  test('names the host of an address', async () => {
    const launch = await plan(
      configured({ url: 'https://me:secret@tools.example:8443/mcp?api_key=abc12345' }),
    )
    expect(launch.host).toBe('tools.example:8443')
    expect(JSON.stringify(launch)).not.toMatch(/secret|abc12345/)
  })

  const inConfig = (text: string) => toolCard(join(folderWith({ '.mcp.json': text }), '.mcp.json'))
  test.each([
    {
      why: 'the configuration is gone',
      card: () => toolCard('/no/such/.mcp.json'),
      says: '/no/such/.mcp.json does not exist',
    },
    {
      why: 'it is from the network',
      card: () => toolCard('https://example.com/.mcp.json'),
      says: 'nothing from the network',
    },
    {
      why: 'it is from a bucket',
      card: () => toolCard('s3://bucket/.mcp.json'),
      says: 'nothing from the network',
    },
    {
      why: 'the entry is gone',
      card: () => inConfig('{"mcpServers":{}}'),
      says: 'has no MCP server "subject"',
    },
    { why: 'the file is no JSON', card: () => inConfig('{'), says: 'has no MCP server "subject"' },
    {
      why: 'it is switched off',
      card: () => configured({ command: 'sh', disabled: true }),
      says: 'is switched off',
    },
    {
      why: 'it was rejected in Claude Code',
      card: () => {
        const files = {
          '.mcp.json': '{"mcpServers":{"subject":{"command":"sh"}}}',
          '.claude/settings.local.json': '{"disabledMcpjsonServers":["subject"]}',
        }
        return toolCard(join(folderWith(files), '.mcp.json'))
      },
      says: 'is switched off',
    },
    {
      why: 'it is Audition itself',
      card: () => configured({ command: 'audition', args: ['serve'] }),
      says: 'is Audition itself',
    },
    {
      why: 'its command is missing',
      card: () => configured({ command: 'audition-no-such' }),
      says: 'not found',
    },
    {
      why: 'its folder is missing',
      card: () => configured({ command: 'sh', cwd: '/no/such' }),
      says: 'does not exist',
    },
    {
      why: 'a variable is not set',
      card: () => configured({ command: 'sh', args: [`\${NO_SUCH}`] }),
      says: 'NO_SUCH is not set',
    },
    {
      why: 'its address is of no web',
      card: () => configured({ url: `\${PATH}` }),
      says: 'no http or https address',
    },
  ])('cannot be run when $why', async ({ card, says }) => {
    const error: unknown = await plan(card()).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RuntimeError)
    expect((error as RuntimeError).message).toContain(says)
    expect((error as RuntimeError).remedy).not.toBe('')
  })
})
