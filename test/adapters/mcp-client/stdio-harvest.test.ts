import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { failureOf, harvester, never, rawEntry, serverFolder, stdioEntry, notedPids } from './servers.ts'

const names = (tools: readonly { readonly name?: unknown }[]) => tools.map(({ name }) => name)

describe('a server that answers', () => {
  test.each([
    { why: 'takes the handshake of 2025', args: [] },
    { why: 'refuses it and wants the revision 2026-07-28', args: ['modern'] },
  ])('gives what it says of itself and its tools when it $why', async ({ args }) => {
    const entry = stdioEntry({
      command: process.execPath,
      args: [join(serverFolder, 'sdk-stdio.mjs'), ...args],
    })
    const { server, tools } = await harvester().harvest(entry, never)
    expect(server).toEqual({
      name: 'weather',
      title: 'Weather',
      version: '1.2.3',
      instructions: 'Ask for the weather of a city.',
    })
    expect(tools).toMatchObject([
      {
        name: 'get_forecast',
        title: 'Forecast',
        inputSchema: { properties: { city: { description: 'Name of the city' } }, required: ['city'] },
        outputSchema: { required: ['degrees'] },
        annotations: { readOnlyHint: true, openWorldHint: true },
      },
    ])
  })

  test('gives the tools of every page in order', async () => {
    const { tools } = await harvester().harvest(rawEntry('paginated'), never)
    expect(names(tools)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `tool_${number}`))
  })

  test.each([
    { behaviour: 'banner', why: 'prints a greeting and logs on stdout first', expected: ['one'] },
    { behaviour: 'slow', why: 'takes its time', expected: ['late'] },
    { behaviour: 'split', why: 'sends a message in pieces that end inside a character', expected: ['naïve'] },
    {
      behaviour: 'malformed',
      why: 'has tools that are none: they come as objects',
      expected: [undefined, undefined, 'good'],
    },
    { behaviour: 'toolless', why: 'offers no tools at all', expected: [] },
  ])('is understood when it $why', async ({ behaviour, expected }) => {
    const { tools } = await harvester().harvest(rawEntry(behaviour), never)
    expect(names(tools)).toEqual(expected)
  })

  test('keeps every character of a message in pieces', async () => {
    const { tools } = await harvester().harvest(rawEntry('split'), never)
    expect(tools[0]?.description).toBe('天気 🌦')
  })

  test('sees the few variables a program needs and its own, nothing else of ours', async () => {
    const environment = {
      ...process.env,
      LC_ALL: 'C',
      AWS_SECRET_ACCESS_KEY: 'ours',
      npm_config_token: 'ours',
      NODE_OPTIONS: '--no-warnings',
      NODE_EXTRA_CA_CERTS: '/tmp/ours.pem',
      LD_PRELOAD: '',
      LD_LIBRARY_PATH: '/tmp',
      PYTHONPATH: '/tmp',
      HTTPS_PROXY: 'http://me:ours@127.0.0.1:1',
      no_proxy: '*',
      SSH_AUTH_SOCK: '/tmp/agent',
      AUDITION_LLM_KEY: 'ours',
    }
    const entry = rawEntry('environment', '', { env: { OWN: 'x' } })
    const { tools } = await harvester({ environment }).harvest(entry, never)
    const seen = String(tools[0]?.description).split(' ')
    expect(seen).toEqual(expect.arrayContaining(['OWN', 'PATH', 'LC_ALL']))
    const harmless =
      /^(?:OWN|PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TEMP|TMP|TZ|LANG|LANGUAGE|LC_\w+|AUDITION_EXECUTION)$/
    expect(seen.filter((name) => !harmless.test(name))).toEqual([])
  })

  test('runs in the folder of its configuration unless the entry names one', async () => {
    const inFolder = async (launch: { cwd?: string }) =>
      (await harvester().harvest(rawEntry('whereabouts', '', launch), never)).tools[0]?.description
    expect(await inFolder({})).toBe(serverFolder)
    expect(await inFolder({ cwd: `\${workspaceFolder}/..` })).toBe(join(serverFolder, '..'))
  })

  test('may quote a secret it was given: the harvest holds it masked, and plain settings as they are', async () => {
    const env = { DATABASE_TOKEN: 'hunter2-hunter2', DATABASE_USER: 'reporting' }
    const { tools } = await harvester().harvest(rawEntry('echo', '', { env }), never)
    expect(tools).toEqual([
      {
        name: 'query',
        description: 'Connected with *** as reporting',
        inputSchema: { type: 'object', properties: { token: { default: '***' } } },
      },
    ])
  })
})

describe('a server that fails', () => {
  const missing = stdioEntry({ command: 'audition-no-such-command' })
  test.each([
    {
      why: 'the command is not installed',
      entry: missing,
      says: 'command "audition-no-such-command" not found',
    },
    {
      why: 'the command is a path to nothing',
      entry: stdioEntry({ command: './nothing.sh' }),
      says: 'command "./nothing.sh" not found',
    },
    {
      why: 'the file is no program',
      entry: stdioEntry({ command: join(serverFolder, 'raw.mjs') }),
      says: 'may not be executed',
    },
    { why: 'the command is empty', entry: stdioEntry({ command: '  ' }), says: 'its command is empty' },
    {
      why: 'its folder is missing',
      entry: rawEntry('paginated', '', { cwd: '/no/such/folder' }),
      says: 'its working folder /no/such/folder does not exist',
    },
    {
      why: 'an argument holds a NUL',
      entry: rawEntry('paginated', 'a\0b'),
      says: 'it holds a NUL character',
    },
    {
      why: 'it exits at once',
      entry: rawEntry('crashing', 'start'),
      says: 'exited with code 3 before it answered: fatal: cannot log in',
    },
    {
      why: 'it stops reading before it exits',
      entry: stdioEntry({
        command: '/bin/sh',
        args: ['-c', 'exec 0<&-; sleep 0.2; echo "fatal: cannot log in" >&2; exit 3'],
      }),
      says: 'exited with code 3 before it answered: fatal: cannot log in',
    },
    {
      why: 'it exits when asked for tools',
      entry: rawEntry('crashing-list'),
      says: 'exited with code 4 before it listed its tools',
    },
    {
      why: 'it refuses the handshake',
      entry: rawEntry('refusing'),
      says: 'it answered the handshake with error -32000: licence expired',
    },
    {
      why: 'it cannot list its tools',
      entry: rawEntry('refusing-list'),
      says: 'it answered tools/list with error -32603',
    },
    {
      why: 'its list is no list',
      entry: rawEntry('nonsense'),
      says: 'its answer is not what the protocol asks for',
    },
    {
      why: 'its pages go in circles',
      entry: rawEntry('circle'),
      says: 'the pages of its tool list go in circles',
    },
    {
      why: 'its page leads to itself',
      entry: rawEntry('stuck'),
      says: 'the pages of its tool list go in circles',
    },
    {
      why: 'it prints without end',
      entry: rawEntry('endless'),
      says: 'it prints text on stdout instead of MCP messages',
    },
    {
      why: 'it is another program',
      entry: stdioEntry({ command: 'cat', args: ['/dev/zero'] }),
      says: 'it sent more than',
    },
  ])('is reported with what to do when $why', async ({ entry, says }) => {
    const failure = await failureOf(entry, { limits: { bytes: 4_000_000 } })
    expect(failure.message).toContain('MCP server "subject": ')
    expect(failure.message).toContain(says)
    expect(failure.remedy).toMatch(/\/fixtures\/mcp-servers\/\.mcp\.json/)
  })

  test('of a well-known launcher is told where to get it', async () => {
    const failure = await failureOf(stdioEntry({ command: 'uvx' }, 'time'), {
      environment: { PATH: '/nowhere' },
    })
    expect(failure.message).toBe('MCP server "time": command "uvx" not found')
    expect(failure.remedy).toMatch(
      /^Install uv \(https:\/\/docs\.astral\.sh\/uv\), or disable the entry "time" in \//,
    )
  })

  test.each([
    { why: 'tools', behaviour: 'tools-without-end', argument: '51', says: 'it lists more than 50 tools' },
    {
      why: 'pages',
      behaviour: 'pages-without-end',
      argument: '',
      says: 'it lists its tools on more than 20 pages',
    },
    {
      why: 'bytes in one message',
      behaviour: 'huge',
      argument: '2000000',
      says: 'it sent more than 1,000,000 bytes',
    },
  ])('is cut off when it sends too many $why', async ({ behaviour, argument, says }) => {
    const limits = { tools: 50, pages: 20, bytes: 1_000_000 }
    expect((await failureOf(rawEntry(behaviour, argument), { limits })).message).toContain(says)
  })

  test.concurrent.each([
    { why: 'answers the handshake', behaviour: 'hanging', says: 'it did not answer within 3 s' },
    { why: 'lists its tools', behaviour: 'hanging-list', says: 'it did not list its tools within 3 s' },
    {
      why: 'stops printing text',
      behaviour: 'garbage',
      says: 'On stdout, where only MCP messages belong: unknown command',
    },
  ])('runs out of time when it never $why', async ({ behaviour, says }) => {
    const failure = await failureOf(rawEntry(behaviour), { timeoutMs: 3_000 })
    expect(failure.message).toContain(says)
    expect(failure.remedy).toContain('by hand')
  })

  test('shows the end of a long stderr, at most about 2,000 characters', async () => {
    const { message, output } = await failureOf(rawEntry('talkative'))
    expect(message).toMatch(/: last words$/)
    expect(output).toMatch(/last words$/)
    expect(output?.length).toBeLessThan(2_200)
  })

  test('is not started when it is switched off', async () => {
    const failure = await failureOf({ ...rawEntry('paginated'), disabled: true })
    expect(failure.message).toBe('MCP server "subject" is switched off')
  })
})

test('a configuration from the network starts nothing', async () => {
  const pidFile = join(temporaryFolder(), 'pids')
  const entry = { ...rawEntry('stubborn', pidFile, { cwd: '/' }), config: 'https://example.com/mcp.json' }
  expect((await failureOf(entry)).message).toContain('its configuration comes from the network')
  expect(notedPids(pidFile)).toEqual([])
})

describe('secrets', () => {
  const secret = 'Zq8-unguessable-Value'
  test.each([
    {
      why: 'on stderr',
      entry: rawEntry('crashing', 'https://bob:pw-of-bob@host/db', { env: { API_TOKEN: secret } }),
    },
    {
      why: 'in an error of the protocol',
      entry: rawEntry('refusing-list', '', { env: { API_TOKEN: secret } }),
    },
    {
      why: 'from a variable, as an argument',
      entry: rawEntry('crashing', `\${OUR_SECRET}`, { env: { API_TOKEN: `\${OUR_SECRET}` } }),
    },
    {
      why: 'in the command line of one that hangs',
      entry: rawEntry('hanging', '', { args: ['-e', 'setInterval(()=>{},9)', '--', '--api-key', secret] }),
    },
    {
      why: 'in a command that is not found',
      entry: stdioEntry({ command: 'no-such', args: ['--token', secret], env: { KEY: secret } }),
    },
  ])('never stand in an error: $why', async ({ entry }) => {
    const environment = { ...process.env, OUR_SECRET: secret }
    const failure = await failureOf(entry, { environment, timeoutMs: 1_000 })
    const everything = inspect(failure, { depth: 9, showHidden: true })
    expect(everything).not.toContain(secret)
    expect(everything).not.toContain('pw-of-bob')
  })
})
