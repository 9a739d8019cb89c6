import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tableLines } from '../../src/cli/render/table.ts'
import { outputOver } from '../../src/cli/terminal.ts'
import { textWidth } from '../../src/cli/render/text.ts'
import { printableLine } from '../../src/domain/text/printable.ts'
import { capture } from '../fakes/captured-terminal.ts'

const outputOf = (columns: number) => outputOver(capture(columns).stream, { NO_COLOR: '1' }, [])
const columns = [
  { title: '#', align: 'right' },
  { title: 'id', paint: (text: string) => text },
  { title: 'description', least: 10 },
] as const

describe('tableLines', () => {
  test('aligns columns and cuts what may be cut', () => {
    const rows = [
      ['1', 'tracker/create_issue', 'Creates an issue in a project.'],
      ['10', 'a/b', 'Short.'],
    ]
    expect(tableLines(columns, rows, outputOf(44))).toEqual([
      ' #  id                    description',
      ' 1  tracker/create_issue  Creates an issue…',
      '10  a/b                   Short.',
    ])
  })

  test('a terminal too narrow for the columns gets blocks with whole ids', () => {
    const rows = [['1', 'tracker/create_issue', 'Creates an issue in a project.']]
    expect(tableLines(columns, rows, outputOf(24))).toEqual([
      '1 tracker/create_issue',
      '  description: Creates',
      '  an issue in a project.',
    ])
  })

  test.each([
    { overflow: 'cut' as const, lines: ['  text: one two', '  three four five', '  six seven eigh…'] },
    {
      overflow: 'wrap' as const,
      lines: ['  text: one two', '  three four five', '  six seven eight', '  nine ten'],
    },
  ])('a block of a column to $overflow has $lines.length lines of it', ({ overflow, lines }) => {
    const cut = [{ title: 'id' }, { title: 'text', least: 16, overflow }] as const
    const row = ['a/b', 'one two three four five six seven eight nine ten']
    expect(tableLines(cut, [row], outputOf(17))).toEqual(['a/b', ...lines])
  })

  test('a column may wrap instead, and the others stay empty below', () => {
    const wrapping = [{ title: 'id' }, { title: 'text', least: 8, overflow: 'wrap' }] as const
    expect(tableLines(wrapping, [['a', 'one two three']], outputOf(13))).toEqual([
      'id  text',
      'a   one two',
      '    three',
    ])
  })

  test('no rows draw nothing', () => {
    expect(tableLines(columns, [], outputOf(80))).toEqual([])
  })

  test('a drawn line never leaves the terminal, and an id is never cut', () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 60 }).map(printableLine)
    const id = fc.stringMatching(/^[a-z]{1,12}\/[a-z_]{1,12}$/)
    fc.assert(
      fc.property(fc.array(fc.tuple(id, cell), { minLength: 1, maxLength: 6 }), (cells) => {
        const rows = cells.map(([one, text], index) => [String(index + 1), one, text])
        const lines = tableLines(columns, rows, outputOf(60))
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(60)
        for (const [one] of cells) expect(lines.some((line) => line.includes(one))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})
