import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import { describe, expect, test } from 'vitest'
import { hosts } from '../src/hosts/hosts.ts'

const root = resolve(import.meta.dirname, '..')
const ours = ['*.md', 'docs/**/*.md', 'catalog/README.md', 'evals/README.md']
const pages = globSync(ours, { cwd: root, ignore: '**/node_modules/**' }).sort()
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const withoutCode = (text: string): string =>
  text.replaceAll(/^(`{3,})[^\n]*\n.*?^\1$/gms, '').replaceAll(/`[^`\n]*`/g, '')

/** Targets of links and pictures that lead to a file: of Markdown, and of HTML in it. */
const targetsOf = (text: string): string[] =>
  [
    ...withoutCode(text).matchAll(/\]\(([^)\s]+)(?:\s"[^"]*")?\)/g),
    ...withoutCode(text).matchAll(/\b(?:src|href)="([^"]+)"/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))

/** The addresses within a page: its headings, a repeated one numbered, and what HTML names. */
function addressesOf(text: string): ReadonlySet<string> {
  const plain = text.replaceAll(/^(`{3,})[^\n]*\n.*?^\1$/gms, '')
  const addresses = new Set([...plain.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id))
  const times = new Map<string, number>()
  for (const [, title = ''] of plain.matchAll(/^#{1,6} (.+)$/gm)) {
    const heading = title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const before = times.get(heading) ?? 0
    times.set(heading, before + 1)
    addresses.add(before === 0 ? heading : `${heading}-${before}`)
  }
  return addresses
}

/** What is wrong with a link of a page; undefined when it leads somewhere. */
function complaint(page: string, target: string): string | undefined {
  const [path = '', heading] = target.split('#')
  const file = path === '' ? page : join(dirname(page), decodeURIComponent(path))
  if (!existsSync(join(root, file))) return `${page}: nothing lies at ${target}`
  if (heading === undefined || !file.endsWith('.md')) return undefined
  return addressesOf(read(file)).has(heading) ? undefined : `${page}: no heading is named ${target}`
}

describe('links of the pages', () => {
  test('lead to what is there', () => {
    const complaints = pages.flatMap((page) =>
      targetsOf(read(page)).flatMap((target) => complaint(page, target) ?? []),
    )
    expect(complaints).toEqual([])
  })

  test('are found', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/design.md']))
    expect(pages.flatMap((page) => targetsOf(read(page))).length).toBeGreaterThan(50)
    expect(targetsOf('[a](b.md) `[c](d.md)` <img src="e.svg"> [f](https://g.test)')).toEqual([
      'b.md',
      'e.svg',
    ])
    expect(complaint('README.md', 'docs/absent.md')).toBeDefined()
    expect(complaint('README.md', 'docs/design.md#no-such-heading')).toBeDefined()
  })
})

test('the first page has at most 900 words', () => {
  expect(read('README.md').trim().split(/\s+/).length).toBeLessThanOrEqual(900)
})

test.each(hosts)('the guide says where $title keeps its configuration', ({ name, title }) => {
  expect(read('docs/guide.md')).toContain(`| ${title} | \`${name}\` |`)
})

test('data that a reader cannot have is named where contributors look, and nowhere else', () => {
  const naming = pages.filter((page) => /toolret-dev|\.\.\/shared|shared\/data/.test(read(page)))
  expect(naming).toEqual(['CONTRIBUTING.md'])
})
