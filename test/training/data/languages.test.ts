import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dataFolder } from '../../../embeddings/trainer/src/data-folder.ts'

const languages = ['de', 'fr', 'es', 'pt', 'it', 'zh', 'ja', 'ko', 'ru', 'ar'] as const

type Request = { readonly id: string; readonly catalog: string; readonly split: string } & {
  readonly [language: string]: string
}

const linesOf = <T>(...path: string[]): readonly T[] =>
  readFileSync(join(dataFolder, ...path), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)

/** Letters that a text of the language cannot do without; the others share one alphabet. */
const script: { readonly [language: string]: RegExp } = {
  zh: /\p{Script=Han}/u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  ar: /\p{Script=Arabic}/u,
}

describe('requests in ten languages', () => {
  const requests = linesOf<Request>('languages', 'requests.jsonl')

  test('tell again requests of our own catalogs, each in all ten', () => {
    const asked = new Map<string, string>()
    for (const catalog of new Set(requests.map((request) => request.catalog)))
      for (const { id, query } of linesOf<{ id: string; query: string }>('tools', catalog, 'queries.jsonl'))
        asked.set(id, query)
    expect(requests).toHaveLength(1000)
    expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length)
    const faults = requests.filter(
      (request) =>
        request.english !== asked.get(request.id) || languages.some((language) => !request[language]?.trim()),
    )
    expect(faults.map(({ id }) => id)).toEqual([])
  })

  test('are split by catalog', () => {
    const splits = new Map<string, Set<string>>()
    for (const { catalog, split } of requests)
      splits.set(catalog, (splits.get(catalog) ?? new Set()).add(split))
    expect([...splits.values()].every((each) => each.size === 1)).toBe(true)
    const dev = requests.filter(({ split }) => split === 'dev')
    expect(dev.length).toBeGreaterThanOrEqual(100)
  })

  test.each(Object.keys(script))('are written in the script of %s', (language) => {
    const others = requests.filter((request) => !script[language]!.test(request[language]!))
    // Some are names, code and numbers alone.
    expect(others.length / requests.length).toBeLessThan(0.01)
  })
})

describe('the glossary', () => {
  type Entry = { readonly en: string } & {
    readonly [language in (typeof languages)[number]]?: readonly string[]
  }
  const entries = linesOf<Entry>('languages', 'glossary.jsonl')

  test('has 6,000 words and phrases, none twice, nearly all in ten languages', () => {
    expect(entries.length).toBeGreaterThanOrEqual(6000)
    expect(new Set(entries.map(({ en }) => en.toLowerCase())).size).toBe(entries.length)
    const whole = entries.filter((entry) => languages.every((language) => entry[language]))
    expect(whole.length / entries.length).toBeGreaterThan(0.95)
  })

  test('gives one to five translations, none twice, Arabic without vowel marks', () => {
    const faulty = entries.filter((entry) =>
      languages.some((language) => {
        const list = entry[language] ?? []
        const marked = language === 'ar' && /[\u064b-\u0652\u0670\u0640]/.test(list.join())
        return (
          marked || list.length > 5 || new Set(list).size < list.length || list.some((each) => !each.trim())
        )
      }),
    )
    expect(faulty.map(({ en }) => en)).toEqual([])
  })
})
