import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packStrings, stringTable } from '../../../src/retrieval/index/string-table.ts'
import { anyText } from '../arbitrary-text.ts'

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const wellFormed = anyText.map((text) => text.toWellFormed())
const sorted = fc.uniqueArray(wellFormed, { maxLength: 40 }).map((texts) => texts.sort(byCodeUnits))

const tableOf = (texts: readonly string[]) => {
  const { bytes, offsets } = packStrings(texts)
  return stringTable(bytes, offsets)
}

describe('string table', () => {
  test('every string comes back and is found where it stands', () => {
    fc.assert(
      fc.property(sorted, (texts) => {
        const table = tableOf(texts)
        expect(table.size).toBe(texts.length)
        texts.forEach((text, index) => {
          expect(table.at(index)).toBe(text)
          expect(table.indexOf(text)).toBe(index)
        })
      }),
    )
  })

  test('it answers like the array it was made of', () => {
    fc.assert(
      fc.property(sorted, wellFormed, (texts, wanted) => {
        const table = tableOf(texts)
        const place = texts.findIndex((text) => text >= wanted)
        expect(table.indexOf(wanted)).toBe(texts.indexOf(wanted))
        expect(table.lowerBound(wanted)).toBe(place < 0 ? texts.length : place)
      }),
    )
  })

  test('order is that of code units, not of code points', () => {
    const table = tableOf(['😀', '\uffee'])
    expect(table.indexOf('😀')).toBe(0)
    expect(table.indexOf('\uffee')).toBe(1)
  })

  test('a byte order mark belongs to its string', () => {
    const table = tableOf(['a', '\ufeffa'])
    expect(table.at(1)).toBe('\ufeffa')
  })

  test('a lone surrogate is looked for as UTF-8 keeps it', () => {
    expect(tableOf(['a', '\ufffd']).indexOf('\ud800')).toBe(1)
  })

  test('an empty table holds nothing', () => {
    const table = tableOf([])
    expect(table.size).toBe(0)
    expect(table.indexOf('')).toBe(-1)
    expect(table.lowerBound('a')).toBe(0)
  })
})
