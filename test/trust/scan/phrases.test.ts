import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { entries, phraseOf } from '../../../src/trust/scan/phrases/phrases.ts'

const file = JSON.parse(
  readFileSync(new URL('../../../src/trust/scan/phrases/phrases.json', import.meta.url), 'utf8'),
) as {
  readonly rules: readonly {
    readonly name: string
    readonly lists: { readonly [list: string]: string }
    readonly phrases: { readonly [level: string]: { readonly [languages: string]: readonly string[] } }
  }[]
}

test.each(file.rules)(
  'each list of $name stands in a phrase, and each phrase names lists that there are',
  ({ lists, phrases }) => {
    const lines = Object.values(phrases).flatMap((byLanguage) => Object.values(byLanguage).flat())
    const used = new Set(lines.flatMap((line) => [...line.matchAll(/\{(\w+)\}/g)].map(([, list]) => list)))
    expect([...used].sort()).toEqual(Object.keys(lists).sort())
    expect(
      Object.keys(phrases).filter((level) => !['grave', 'strong', 'command', 'weak'].includes(level)),
    ).toEqual([])
  },
)

test('each phrase is well formed: words, and no name of a list that is left', () => {
  for (const { lines } of entries())
    for (const line of lines) {
      expect(line).not.toMatch(/[{}]|\|\||\s{2}|\|(?=\s|$)|(?:^|\s)\|/)
      for (const { alternatives } of phraseOf(line).elements)
        for (const words of alternatives) expect(words.length, line).toBeGreaterThan(0)
    }
})
