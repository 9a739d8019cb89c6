import { PassThrough, Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { StoreError } from '../../src/adapters/lancedb/store-location.ts'
import type { Audition } from '../../src/compose/app.ts'
import { HarvestError } from '../../src/catalog/ports.ts'
import { run } from '../../src/cli/run.ts'
import { type Output, outputOver, type Terminal } from '../../src/cli/terminal.ts'
import { packageVersion } from '../../src/package-version.ts'
import { NoIndexError } from '../../src/retrieval/ports.ts'
import { capture, runCaptured } from '../fakes/captured-terminal.ts'
import { answerOf, scored, toolCard } from '../fakes/sample-cards.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const failing = (error: unknown): Audition => scriptedAudition({ search: () => Promise.reject(error) })

describe('errors', () => {
  test.each([
    {
      why: 'a message alone',
      error: new Error('the store is locked. Try again.'),
      expected: 'error: the store is locked. Try again.\n',
    },
    {
      why: 'a message and its cause',
      error: new Error('/data cannot be read.', { cause: new Error('EACCES') }),
      expected: 'error: /data cannot be read.\n  because: EACCES\n',
    },
    {
      why: 'a cause that the message repeats',
      error: new Error('/data: EACCES.', { cause: new Error('EACCES') }),
      expected: 'error: /data: EACCES.\n',
    },
    {
      why: 'a store, whose message has the reason without the places in the sources of its database',
      error: new StoreError('The store cannot be written: full.', 'Make room.', {
        reason: 'it cannot be written: full',
        cause: new Error('lance error: LanceError(IO): full, /src/object_store.rs:793:21'),
      }),
      expected: 'error: The store cannot be written: full.\n  Make room.\n',
    },
    {
      why: 'a server and its remedy',
      error: new HarvestError('"x" ended with code 1.', 'Run it by hand.'),
      expected: 'error: "x" ended with code 1.\n  Run it by hand.\n',
    },
    {
      why: 'an empty store',
      error: new NoIndexError(),
      expected: 'error: nothing is indexed yet. Run `audition index`, or `audition quickstart` for a tour.\n',
    },
    {
      why: 'what the system alone says of a full disk',
      error: Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
      expected:
        'error: ENOSPC: no space left on device, write\n  Make room on the disk, or name another place.\n',
    },
    { why: 'hostile words', error: new Error('bad \u001b[2Jname'), expected: 'error: bad name\n' },
    { why: 'no error at all', error: 'just words', expected: 'error: just words\n' },
  ])('$why: no stack, exit code 1', async ({ error, expected }) => {
    const outcome = await runCaptured(['search', '--tools', 'x'], failing(error))
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: expected })
  })

  test('AUDITION_DEBUG=1 shows the stack', async () => {
    const { stderr } = await runCaptured(['search', '--tools', 'x'], failing(new Error('lost')), {
      env: { AUDITION_DEBUG: '1' },
    })
    expect(stderr).toMatch(/^error: Error: lost\n\s+at /)
  })

  test('Ctrl-C ends with 130', async () => {
    const interruption = new AbortController()
    const audition = scriptedAudition({
      search: () => {
        interruption.abort()
        return Promise.reject(new Error('aborted'))
      },
    })
    const outcome = await runCaptured(['search', '--tools', 'x'], audition, { signal: interruption.signal })
    expect(outcome).toEqual({ code: 130, stdout: '', stderr: 'Stopped.\n' })
  })
})

const { signal } = new AbortController()

const surroundings = (stdout: Output, stderr: Output): Terminal => ({
  stdout,
  stderr,
  stdin: new PassThrough(),
  env: {},
  program: 'audition',
  cwd: '/',
  home: '/',
  platform: 'linux',
})

describe('the surroundings of a command', () => {
  test('the app is opened once with --home, and closed, also after a failure', async () => {
    const opened: (string | undefined)[] = []
    let closed = 0
    const audition: Audition = {
      ...failing(new Error('lost')),
      close: async () => {
        closed += 1
      },
    }
    const stderr = capture()
    const terminal = {
      ...surroundings(outputOver(capture().stream, {}, []), outputOver(stderr.stream, {}, [])),
      env: { AUDITION_HOME: '/from/environment' },
    }
    const open = async (env: { readonly [name: string]: string | undefined }) => {
      opened.push(env.AUDITION_HOME)
      return audition
    }
    for (const home of [[], ['--home', '/flag']]) {
      expect(await run(['search', 'x', ...home], { terminal, openAudition: open, signal })).toBe(1)
    }
    expect({ opened, closed }).toEqual({ opened: ['/from/environment', '/flag'], closed: 2 })
  })

  test.each([
    { why: 'a terminal', env: {}, argv: [], coloured: true },
    { why: '--no-color', env: {}, argv: ['--no-color'], coloured: false },
    { why: 'NO_COLOR', env: { NO_COLOR: '1' }, argv: [], coloured: false },
    { why: 'a dumb terminal', env: { TERM: 'dumb' }, argv: [], coloured: false },
    { why: 'an empty NO_COLOR, which counts for nothing', env: { NO_COLOR: '' }, argv: [], coloured: true },
  ])('$why: coloured $coloured', async ({ env, argv, coloured }) => {
    const audition = scriptedAudition({
      search: async () => answerOf('tool', [scored(toolCard(), 1)]),
    })
    const { stdout } = await runCaptured([...argv, 'search', '--tools', 'x'], audition, { env, columns: 80 })
    expect(stdout.includes('\u001b[')).toBe(coloured)
  })

  test('what is no terminal gets no colour, unless FORCE_COLOR asks for it', async () => {
    const audition = scriptedAudition({
      search: async () => answerOf('tool', [scored(toolCard(), 1)]),
    })
    const plain = await runCaptured(['search', '--tools', 'x'], audition)
    expect(plain.stdout).not.toContain('\u001b[')
    const forced = await runCaptured(['search', '--tools', 'x'], audition, { env: { FORCE_COLOR: '1' } })
    expect(forced.stdout).toContain('\u001b[')
  })

  test('a reader that goes away ends the output, not the command', async () => {
    const stream = new PassThrough()
    const output = outputOver(stream, {}, [])
    stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    output.write('more')
    expect(stream.read()).toBeNull()
    await expect(output.written()).resolves.toBeUndefined()
  })

  const full = () =>
    new Writable({
      write: (_chunk, _encoding, done) =>
        done(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'write' })),
    })
  test.each([
    { why: 'an answer', argv: ['search', '--tools', 'x'] },
    { why: 'JSON', argv: ['search', '--tools', '--json', 'x'] },
    { why: 'a help page', argv: ['search', '--help'] },
    { why: 'the version', argv: ['--version'] },
  ])('$why that does not fit on a full disk fails and says so', async ({ argv }) => {
    const stderr = capture()
    const terminal = surroundings(outputOver(full(), {}, []), outputOver(stderr.stream, {}, []))
    const audition = scriptedAudition({ search: async () => answerOf('tool', [scored(toolCard(), 1)]) })
    const code = await run(argv, { terminal, openAudition: async () => audition, signal })
    expect({ code, stderr: stderr.text() }).toEqual({
      code: 1,
      stderr: expect.stringContaining('standard output: cannot be written: the disk is full (ENOSPC).'),
    })
  })

  test('what cannot be logged takes no result away', async () => {
    const stdout = capture()
    const terminal = surroundings(outputOver(stdout.stream, {}, []), outputOver(full(), {}, []))
    const code = await run(['init', 'nope'], {
      terminal,
      openAudition: async () => scriptedAudition({}),
      signal,
    })
    expect(code).toBe(2)
    expect(await run(['version'], { terminal, openAudition: async () => scriptedAudition({}), signal })).toBe(
      0,
    )
    expect(stdout.text()).toBe(`${packageVersion()}\n`)
  })

  test.each([['version'], ['--version'], ['-V']])('audition %s prints the version', async (word) => {
    const { code, stdout } = await runCaptured([word], scriptedAudition({}))
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${packageVersion()}\n` })
  })
})
