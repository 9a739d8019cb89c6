import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { agreeToAsk } from '../../src/cli/ask/agree-to-ask.ts'
import { askYesNo } from '../../src/cli/ask/ask.ts'
import { openContext } from '../../src/cli/context.ts'
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

describe('a language model is asked', () => {
  const estimate = { model: 'm', host: 'models.example', questions: 3, tokens: 900 }
  const nobody = { ...typing(''), stdin: new PassThrough() }

  test.each([
    { who: 'a person who says yes', terminal: typing('y\n'), isAgreed: false, expected: true },
    { who: 'a person who says no', terminal: typing('n\n'), isAgreed: false, expected: false },
    { who: 'nobody', terminal: nobody, isAgreed: false, expected: false },
    { who: '--yes', terminal: nobody, isAgreed: true, expected: true },
  ])('by the word of $who: $expected', async ({ terminal, isAgreed, expected }) => {
    const shown = capture(200)
    const stderr = outputOver(shown.stream, {}, [])
    const { context } = openContext({ terminal: { ...terminal, stderr }, env: {}, signal }, async () => {
      throw new Error('Nothing is opened.')
    })
    expect(await agreeToAsk(isAgreed, context)(estimate)).toBe(expected)
    expect(shown.text()).toContain('would be sent to models.example')
  })
})
