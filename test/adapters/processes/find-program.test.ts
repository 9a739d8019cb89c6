import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findProgram } from '../../../src/adapters/processes/find-program.ts'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'

describe.skipIf(process.platform === 'win32')('findProgram', () => {
  /** Folders `first` and `second`, each with a program `run`; `first` also has a file and a folder that are none. */
  function programs(): string {
    const folder = temporaryFolder()
    for (const place of ['first', 'second']) {
      mkdirSync(join(folder, place))
      writeFileSync(join(folder, place, 'run'), '')
      chmodSync(join(folder, place, 'run'), 0o755)
    }
    writeFileSync(join(folder, 'first', 'notes'), '')
    mkdirSync(join(folder, 'first', 'folder'))
    return folder
  }

  test.each([
    { why: 'the first of the PATH wins', command: 'run', path: 'first:second', found: 'first/run' },
    { why: 'the PATH has an order', command: 'run', path: 'second:first', found: 'second/run' },
    {
      why: 'folders that are not there are passed over',
      command: 'run',
      path: 'none:second',
      found: 'second/run',
    },
    {
      why: 'a path is not looked for along the PATH',
      command: './second/run',
      path: 'first',
      found: 'second/run',
    },
    { why: 'a file must be executable', command: 'notes', path: 'first', found: undefined },
    { why: 'a folder is no program', command: 'folder', path: 'first', found: undefined },
    { why: 'there is none', command: 'walk', path: 'first:second', found: undefined },
    { why: 'a path leads nowhere', command: './third/run', path: 'first', found: undefined },
  ])('gives $found: $why', ({ command, path, found }) => {
    const folder = programs()
    const folders = path.split(':').map((place) => join(folder, place))
    const expected = found === undefined ? undefined : join(folder, found)
    expect(findProgram(command, { PATH: folders.join(':') }, folder)).toBe(expected)
    expect(findProgram(command, { PATH: path }, folder)).toBe(expected)
  })

  test('looks where systems look when there is no PATH', () => {
    expect(findProgram('sh', {}, '/')).toMatch(/\/bin\/sh$/)
  })
})
