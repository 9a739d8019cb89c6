import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..', 'docs', 'decisions')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const pages = readdirSync(folder)
  .filter((name) => /^\d{4}-/.test(name))
  .sort()

/** What every decision has, in this order. Other sections may stand between. */
const sections = ['Context', 'Decision', 'Figures that rule today', 'Consequences']
/** Letters that a line is counted by: a row of a table may be longer, and is several lines then. */
const lineLetters = 150

describe.each(pages)('%s', (page) => {
  const text = read(page)
  const lines = text.split('\n')

  test('is a page at most: 900 words, in 60 lines that are not blank', () => {
    const folded = lines.reduce((sum, line) => sum + Math.ceil(line.length / lineLetters), 0)
    expect(folded).toBeLessThanOrEqual(60)
    expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(900)
  })

  test('says when it was taken and whether it holds', () => {
    expect(lines[0]).toMatch(new RegExp(`^# ${Number(page.slice(0, 4))}\\. `))
    expect(lines[2]).toMatch(/^\d{4}-\d{2}-\d{2}\b.*(?:Holds|Replaced)/)
  })

  test('has its sections in order', () => {
    const titles = lines.filter((line) => line.startsWith('## ')).map((line) => line.slice(3))
    expect(titles.filter((title) => sections.includes(title))).toEqual(sections)
  })
})

test('the list of decisions has each page once, in order', () => {
  const listed = [...read('README.md').matchAll(/^\| \d+ \| \[[^\]]+\]\(([^)]+)\) \|/gm)].map(
    ([, name]) => name,
  )
  expect(listed).toEqual(pages)
})
