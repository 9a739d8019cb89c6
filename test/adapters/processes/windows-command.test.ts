import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { windowsCommand } from '../../../src/adapters/processes/find-program.ts'

// Runs on every platform, so folders are joined as the platform joins them.
const env = { Path: ['/bin', '/nodejs'].join(delimiter), PATHEXT: '.EXE;.CMD', ComSpec: 'C:\\cmd.exe' }
const run = (command: string, args: readonly string[], files: readonly string[]) =>
  windowsCommand({ command, args, env, cwd: '/work' }, (path) => files.includes(path))

describe('windowsCommand', () => {
  test('starts a program by itself', () => {
    const args = ['a b', 'c&d']
    const expected = { command: 'node', args, isVerbatim: false }
    expect(run('node', args, [join('/nodejs', 'node.EXE')])).toEqual(expected)
  })

  test('leaves an unknown command to fail by itself', () => {
    expect(run('nothing', ['x'], [])).toEqual({ command: 'nothing', args: ['x'], isVerbatim: false })
  })

  test('runs a script by the shell, the line quoted for it', () => {
    const { command, args, isVerbatim } = run('npx', ['-y', 'x y'], [join('/nodejs', 'npx.CMD')])
    expect({ command, isVerbatim }).toEqual({ command: 'C:\\cmd.exe', isVerbatim: true })
    expect(args.slice(0, 3)).toEqual(['/d', '/s', '/c'])
    expect(args[3]).toBe(`"^"${join('/nodejs', 'npx.CMD')}^" ^^^"-y^^^" ^^^"x^^^ y^^^""`)
  })

  test('takes the first of the PATH', () => {
    expect(run('tool', [], [join('/bin', 'tool.EXE'), join('/nodejs', 'tool.CMD')]).isVerbatim).toBe(false)
  })

  test.each(['& calc', '| calc', '" & calc & "', '%PATH%', 'a\r\ncalc', '> file', '^& calc', '\\" & calc'])(
    'lets no argument out of its quotes: %j',
    (argument) => {
      const { args } = run('npx', [argument], [join('/nodejs', 'npx.CMD')])
      // Every sign with a meaning for cmd.exe stands behind a caret, so that none is left to act.
      const line = args[3]!.slice(1, -1)
      expect(line.replace(/\^./gs, '')).not.toMatch(/[&|<>^"%!\r\n]/)
    },
  )
})
