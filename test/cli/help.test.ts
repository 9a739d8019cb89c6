import { describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { permitForms } from '../../src/compose/runtimes.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const nobody = scriptedAudition({})

describe('help', () => {
  test('audition --help', async () => {
    const { code, stdout, stderr } = await runCaptured(['--help'], nobody)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    await expect(stdout).toMatchFileSnapshot('golden/help.txt')
  })

  test.each(commands)('audition $name --help', async ({ name }) => {
    const { code, stdout, stderr } = await runCaptured([name, '--help'], nobody)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    await expect(stdout).toMatchFileSnapshot(`golden/help-${name}.txt`)
  })

  test.each(['show', 'accept', 'refuse', 'trust', 'distrust', 'remove'])(
    'audition sources %s --help',
    async (name) => {
      const { code, stdout } = await runCaptured(['sources', name, '--help'], nobody)
      expect(code).toBe(0)
      await expect(stdout).toMatchFileSnapshot(`golden/help-sources-${name}.txt`)
    },
  )

  test.each(['list', 'add', 'token', 'quota', 'remove'])('audition tenants %s --help', async (name) => {
    const { code, stdout } = await runCaptured(['tenants', name, '--help'], nobody)
    expect(code).toBe(0)
    await expect(stdout).toMatchFileSnapshot(`golden/help-tenants-${name}.txt`)
  })

  test.each(['export', 'import', 'mask', 'forget'])('audition record %s --help', async (name) => {
    const { code, stdout } = await runCaptured(['record', name, '--help'], nobody)
    expect(code).toBe(0)
    await expect(stdout).toMatchFileSnapshot(`golden/help-record-${name}.txt`)
  })

  test('audition evaluate pass-rate --help', async () => {
    const { code, stdout } = await runCaptured(['evaluate', 'pass-rate', '--help'], nobody)
    expect(code).toBe(0)
    await expect(stdout).toMatchFileSnapshot('golden/help-evaluate-pass-rate.txt')
  })

  test('audition tasks make --help', async () => {
    const { code, stdout } = await runCaptured(['tasks', 'make', '--help'], nobody)
    expect(code).toBe(0)
    await expect(stdout).toMatchFileSnapshot('golden/help-tasks-make.txt')
  })

  test('audition allow remove --help', async () => {
    const { code, stdout } = await runCaptured(['allow', 'remove', '--help'], nobody)
    expect(code).toBe(0)
    await expect(stdout).toMatchFileSnapshot('golden/help-allow-remove.txt')
  })

  test('every command has an example, and every example line is a line that parses', async () => {
    for (const { name, load } of commands) {
      const { examples } = (await load()).command
      expect(examples.length, name).toBeGreaterThan(0)
      for (const { line } of examples) expect(line, name).toMatch(/(?:^| )audition /)
    }
  })

  test.each([
    { why: 'no command at all', argv: [] },
    { why: 'the help command', argv: ['help'] },
  ])('$why prints the overview', async ({ argv }) => {
    const { code, stdout } = await runCaptured(argv, nobody)
    expect(code).toBe(0)
    expect(stdout).toContain('Usage: audition <command> [options]')
  })

  test('help of a command by name', async () => {
    const { code, stdout } = await runCaptured(['help', 'search'], nobody)
    expect(code).toBe(0)
    expect(stdout).toContain('--read-only')
  })

  test('help fits a narrow terminal', async () => {
    const { stdout } = await runCaptured(['--help'], nobody, { columns: 60, env: { NO_COLOR: '1' } })
    expect(stdout).toContain('Commands:')
  })
})

test('help of allow has the permits of every runtime that there is', async () => {
  const { stdout } = await runCaptured(['allow', '--help'], nobody)
  const words = stdout.replace(/\s+/g, ' ')
  for (const form of permitForms) expect(words).toContain(form)
})

test('what hosts call `show` shows a card, and names ids like an unknown one', async () => {
  const audition = scriptedAudition({
    cards: async () => [],
    closestIds: async () => ['tracker/create_issue'],
  })
  const { code, stderr } = await runCaptured(['describe', 'tracker/create_isue'], audition)
  expect(code).toBe(1)
  expect(stderr).toContain('Closest ids: tracker/create_issue')
})

describe('wrong usage', () => {
  test.each([
    {
      why: 'a mistyped command',
      argv: ['serach', 'x'],
      expected: /unknown command 'serach'\n\(Did you mean search\?\)/,
    },
    { why: 'what hosts call `show`', argv: ['describe'], expected: /missing required argument 'id'/ },
    { why: 'what hosts call `show`', argv: ['describe'], expected: /missing required argument 'id'/ },
    { why: 'an unknown command', argv: ['frobnicate'], expected: /Run `audition --help`/ },
    { why: 'an unknown global option', argv: ['--frobnicate'], expected: /unknown option/ },
    { why: 'a missing argument', argv: ['show'], expected: /missing required argument 'id'/ },
    { why: 'too many arguments', argv: ['show', 'a', 'b'], expected: /too many arguments/ },
    { why: '--home without a folder', argv: ['--home'], expected: /argument missing/ },
  ])('$why ends with 2 and says what to do', async ({ argv, expected }) => {
    const { code, stdout, stderr } = await runCaptured(argv, nobody)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(expected)
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3)
  })
})
