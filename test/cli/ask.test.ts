import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { askYesNo } from '../../src/cli/ask/ask.ts'
import { outputOver, type Terminal } from '../../src/cli/terminal.ts'
import { capture } from '../fakes/captured-terminal.ts'

/** A terminal on which a person types this and, unless they think on, ends the input. */
function typing(text: string, then: 'end' | 'wait' = 'wait'): Terminal {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  stdin.write(text)
  if (then === 'end') stdin.end()
  const output = outputOver(capture(80).stream, {}, [])
  return {
    stdout: output,
    stderr: output,
    stdin,
    env: {},
    program: '',
    cwd: '/',
    home: '/',
    platform: 'linux',
  }
}

const { signal } = new AbortController()

describe('askYesNo', () => {
  test.each([
    { text: 'y\n', answer: true },
    { text: 'Yes \n', answer: true },
    { text: '\n', answer: false },
    { text: 'n\n', answer: false },
    { text: 'yesterday\n', answer: false },
  ])('$text means $answer', async ({ text, answer }) => {
    expect(await askYesNo('Start?', typing(text), signal)).toBe(answer)
  })

  test('the end of the input is no', async () => {
    expect(await askYesNo('Start?', typing('', 'end'), signal)).toBe(false)
  })

  test('nobody can be asked where there is no terminal', async () => {
    const stdin = new PassThrough()
    expect(await askYesNo('Start?', { ...typing('y\n'), stdin }, signal)).toBeNull()
  })

  test('Ctrl-C ends the question', async () => {
    const interruption = new AbortController()
    const asked = askYesNo('Start?', typing(''), interruption.signal)
    interruption.abort()
    await expect(asked).rejects.toThrow(/abort/i)
  })
})
