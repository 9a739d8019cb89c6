import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import type { OpenAudition } from '../../src/cli/context.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const nobody = scriptedAudition({})

describe('audition serve --http', () => {
  test('serves until Ctrl-C, which is the usual end, and closes the app', async () => {
    const interruption = new AbortController()
    let closed = 0
    const audition = scriptedAudition({
      close: async () => {
        closed += 1
      },
    })
    const ended = runCaptured(['serve', '--http', '0'], audition, { signal: interruption.signal })
    // The signal may come at any time: before the server listens as well as after.
    interruption.abort()
    const { code, stdout, stderr } = await ended
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/Serving MCP at http:\/\/127\.0\.0\.1:\d+\/mcp\. Ctrl-C stops it\.\nStopping\.\n/)
    expect(closed).toBeGreaterThan(0)
  })

  test.each([
    { why: 'as is', threads: Math.min(4, availableParallelism()) },
    { why: 'by AUDITION_THREADS', env: { AUDITION_THREADS: '7' }, threads: 7 },
  ])('searches in as many threads as there are processors: $why $threads', async ({ env = {}, threads }) => {
    const given: (string | undefined)[] = []
    const open: OpenAudition = async (all) => {
      given.push(all.AUDITION_THREADS)
      return scriptedAudition({ close: async () => {} })
    }
    await runCaptured(['serve', '--http', '0'], open, { env, signal: AbortSignal.abort() })
    expect(given).toEqual([String(threads)])
  })

  test('takes the token from the environment and never shows it', async () => {
    const interruption = new AbortController()
    interruption.abort()
    const { code, stderr } = await runCaptured(['serve', '--http', '0', '--host', '127.0.0.1'], nobody, {
      signal: interruption.signal,
      env: { AUDITION_TOKEN: 'a-long-secret' },
    })
    expect(code).toBe(0)
    expect(stderr).toContain('(token required)')
    expect(stderr).not.toContain('a-long-secret')
  })

  test.each([
    {
      why: 'an open address without a token',
      argv: ['--http', '0', '--host', '0.0.0.0'],
      code: 1,
      expected: /Set AUDITION_TOKEN to one, name an authorization server, or listen on 127\.0\.0\.1/,
    },
    {
      why: 'a token variable that is not set',
      argv: ['--http', '0', '--token-env', 'NOWHERE'],
      code: 2,
      expected: /NOWHERE is not set/,
    },
    {
      why: 'an authorization server without an address of ours',
      argv: ['--http', '0', '--authorization-server', 'https://login.example'],
      code: 1,
      expected: /An authorization server wants a public URL/,
    },
    {
      why: 'a rate that cannot be',
      argv: ['--http', '0', '--rate', '-1'],
      code: 2,
      expected: /whole number from 0 to 1000000/,
    },
    {
      why: 'a rate without --http',
      argv: ['--rate', '10'],
      code: 2,
      expected:
        /every option but --for, --call, --keep-calls, --no-watch, --otlp and --log-format goes with it/,
    },
    {
      why: 'a port that cannot be',
      argv: ['--http', '70000'],
      code: 2,
      expected: /whole number from 0 to 65535/,
    },
    {
      why: 'an HTTP flag without --http',
      argv: ['--host', '::1'],
      code: 2,
      expected:
        /every option but --for, --call, --keep-calls, --no-watch, --otlp and --log-format goes with it/,
    },
    {
      why: 'a token on the command line',
      argv: ['--http', '--token', 'x'],
      code: 2,
      expected: /unknown option/,
    },
  ])('refuses $why', async ({ argv, code, expected }) => {
    const outcome = await runCaptured(['serve', ...argv], nobody)
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr).toMatch(expected)
  })
})
