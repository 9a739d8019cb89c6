import { readFileSync } from 'node:fs'
import { join, posix, resolve, win32 } from 'node:path'
import fc from 'fast-check'
import { globSync } from 'tinyglobby'
import { describe, expect, test } from 'vitest'
import { contains, containsBy } from '../../src/domain/paths.ts'

const onPosix = containsBy(posix)
const onWindows = containsBy(win32)

describe('a folder contains', () => {
  test.each([
    { why: 'itself', folder: '/a/b', path: '/a/b', is: true },
    { why: 'itself, written with a slash', folder: '/a/b/', path: '/a/b', is: true },
    { why: 'a file in it', folder: '/a/b', path: '/a/b/c', is: true },
    { why: 'not one beside it whose name begins alike', folder: '/a/b', path: '/a/bc', is: false },
    { why: 'not what lies above it', folder: '/a/b', path: '/a', is: false },
    { why: 'not where a path leads that goes up', folder: '/a/b', path: '/a/b/../c', is: false },
    { why: 'where a path leads that goes up and comes back', folder: '/a/b', path: '/a/x/../b/c', is: true },
    { why: 'names that begin with two dots', folder: '/a', path: '/a/..b/c', is: true },
    { why: 'everything, when it is the root', folder: '/', path: '/a/b', is: true },
    { why: 'no other case of its name', folder: '/a/b', path: '/A/b/c', is: false },
    { why: 'no relative path', folder: '/', path: 'a', is: false },
    { why: 'nothing, when it is relative itself', folder: 'a', path: 'a/b', is: false },
    { why: 'no URL', folder: process.cwd(), path: 'https://host.example/a', is: false },
    { why: 'no path with a backslash for a slash', folder: '/a/b', path: '/a/b\\..\\c', is: false },
  ])('$why', ({ folder, path, is }) => {
    expect(onPosix({ folder, path })).toBe(is)
  })

  test.each([
    { why: 'what is written in another case', folder: 'C:\\Work\\B', path: 'c:\\work\\b\\c', is: true },
    { why: 'what is written with slashes', folder: 'C:\\a', path: 'C:/a/b', is: true },
    { why: 'not what lies beside it', folder: 'C:\\a', path: 'C:\\ab', is: false },
    { why: 'nothing of another drive', folder: 'C:\\a', path: 'D:\\a\\b', is: false },
    { why: 'nothing of another share', folder: '\\\\s\\one\\a', path: '\\\\s\\two\\a\\b', is: false },
    { why: 'not where a path leads that goes up', folder: 'C:\\a', path: 'C:\\a\\..\\b', is: false },
  ])('on Windows, $why', ({ folder, path, is }) => {
    expect(onWindows({ folder, path })).toBe(is)
  })

  test('on this machine, by its own rules', () => {
    expect(contains({ folder: import.meta.dirname, path: import.meta.filename })).toBe(true)
    expect(contains({ folder: import.meta.filename, path: import.meta.dirname })).toBe(false)
  })
})

/** Names as files may have them, those that resemble a way up or each other too. */
const name = fc.oneof(
  fc.constantFrom('a', 'ab', 'b', '..a', 'a..', '...', '.a', ' ', 'a b', 'A', '#', 'é', '-'),
  fc.stringMatching(/^[^/\\:\0]{1,8}$/).filter((text) => text !== '.' && text !== '..'),
)
const names = fc.array(name, { maxLength: 5 })
const path = (parts: readonly string[]): string => `/${parts.join('/')}`

describe('for all folders and paths', () => {
  test('it is the names of the folder that the path begins with', () => {
    fc.assert(
      fc.property(names, names, (folder, other) => {
        const isStart = folder.every((one, place) => one === other[place])
        expect(onPosix({ folder: path(folder), path: path(other) })).toBe(isStart)
      }),
    )
  })

  test('a folder contains itself and all that is below it, however it is written', () => {
    /** The same path with what changes nothing: `.`, a way down and up again, doubled slashes, one at the end. */
    const detour = fc.constantFrom('', '.', 'x/..', '/', './x/y/../..')
    const written = (parts: readonly string[], detours: readonly string[]): string =>
      `/${parts.map((part, place) => `${detours[place] ?? ''}/${part}`).join('/')}${detours.at(-1) === '' ? '' : '/'}`
    const detours = fc.array(detour, { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(names, names, detours, detours, (folder, below, some, others) => {
        expect(onPosix({ folder: written(folder, some), path: written([...folder, ...below], others) })).toBe(
          true,
        )
      }),
    )
  })

  test('a name with something added, or a step further up than down, is outside', () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), names, name, (folder, below, more) => {
        const beside = [...folder.slice(0, -1), folder.at(-1)! + more]
        expect(onPosix({ folder: path(folder), path: path([...beside, ...below]) })).toBe(false)
        const up = [...folder, ...below, ...below.map(() => '..'), '..']
        expect(onPosix({ folder: path(folder), path: path(up) })).toBe(false)
      }),
    )
  })

  test('two that contain each other are the same, and containing carries over', () => {
    const few = fc.array(fc.constantFrom('a', 'b', '..', '.'), { maxLength: 6 }).map(path)
    fc.assert(
      fc.property(few, few, few, (one, two, three) => {
        const isBelow = (path: string, folder: string): boolean => onPosix({ folder, path })
        if (isBelow(one, two) && isBelow(two, one)) expect(posix.resolve(one)).toBe(posix.resolve(two))
        if (isBelow(one, two) && isBelow(two, three)) expect(isBelow(one, three)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('case tells apart where the platform says so', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), word, (folder, file) => {
        const upper = folder.map((one) => one.toUpperCase())
        expect(onPosix({ folder: path(upper), path: path([...folder, file]) })).toBe(false)
        const drive = (parts: readonly string[]): string => `C:\\${parts.join('\\')}`
        expect(onWindows({ folder: drive(upper), path: drive([...folder, file]) })).toBe(true)
      }),
    )
  })
})

/** What a rule of one's own looks like: a start with a separator after it, or a relative path that does not lead up. */
const ownRule = /startsWith\([^)\n]*(?:\bsep\b|['"`]\.\.)|\bisWithin\b/

test('nothing else in src works out whether a path lies in a folder', () => {
  const source = resolve(import.meta.dirname, '../../src')
  const files = globSync('**/*.ts', { cwd: source }).filter((file) => file !== 'domain/paths.ts')
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => ownRule.test(readFileSync(join(source, file), 'utf8')))).toEqual([])
  expect(ownRule.test(readFileSync(join(source, 'domain/paths.ts'), 'utf8'))).toBe(true)
})
