import { expect, test } from 'vitest'
import type { Problem } from '../../src/catalog/ports.ts'
import { documentFromText } from '../../src/catalog/source-document.ts'
import { unknownFormat } from '../../src/catalog/readers.ts'
import { problemLines } from '../../src/cli/render/problem-lines.ts'
import { outputOver } from '../../src/cli/terminal.ts'
import { capture } from '../fakes/captured-terminal.ts'

const linesOf = (problems: readonly Problem[], columns: number) =>
  problemLines(problems, outputOver(capture(columns).stream, { NO_COLOR: '1' }, []), 20)
const problem = (file: string, remedy: string): Problem => ({
  severity: 'error',
  file,
  message: 'is bad',
  remedy,
})

test.each([60, 120])('a file of no known format: the formats stand as a list in %i columns', (columns) => {
  const lines = linesOf([unknownFormat(documentFromText('x.txt', 'hello'))], columns)
  expect(lines.slice(0, 2)).toEqual(['left out  x.txt: the format is not known', '          Known formats:'])
  expect(lines.filter((line) => line.startsWith('          - ')).length).toBeGreaterThan(10)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
})

test('what is to be done about several in a row stands once, below the last', () => {
  const lines = linesOf([problem('a', 'Mend it.'), problem('b', 'Mend it.'), problem('c', 'Remove it.')], 80)
  expect(lines).toEqual([
    'left out  a: is bad',
    'left out  b: is bad',
    '          Mend it.',
    'left out  c: is bad',
    '          Remove it.',
  ])
})

test('what is to be done cannot drive the terminal, nor leave its indent', () => {
  const lines = linesOf([problem('a', 'Mend\u001b[2J it.\rerror: \u202eowned')], 80)
  expect(lines.slice(1)).toEqual(['          Mend it.', '          error: owned'])
})
