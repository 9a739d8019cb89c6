import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import {
  byShell,
  byteText,
  defaultChildLimits,
  describeLimits,
  limitedLine,
} from '../../../src/adapters/processes/child-limits.ts'

const onPosix = describe.skipIf(process.platform === 'win32')
const limits = { ...defaultChildLimits, cpuSeconds: 77, openFiles: 99, memoryBytes: 512 * 1024 ** 2 }
const readBack = [
  '-c',
  'ulimit -t; ulimit -n; ulimit -c; printf "%s|" "$@"',
  'sh',
  "it's",
  'two words',
  '$HOME',
  '',
]

onPosix('limits that the system sets', () => {
  test.each([
    { way: 'the way of this machine', limited: limitedLine },
    { way: 'a shell', limited: byShell },
  ])('by $way: they hold, and words arrive as they are', ({ limited }) => {
    const { command, args } = limited({ command: '/bin/sh', args: readBack }, limits)
    const { stdout, status } = spawnSync(command, args, { encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stdout).toBe("77\n99\n0\nit's|two words|$HOME||")
  })

  test.each([limitedLine, byShell])('that are null are left as they are', (limited) => {
    const none = { cpuSeconds: null, memoryBytes: null, processes: null, openFiles: null, fileBytes: null }
    const { command, args } = limited({ command: '/bin/sh', args: ['-c', 'ulimit -t'] }, none)
    const own = spawnSync('/bin/sh', ['-c', 'ulimit -t'], { encoding: 'utf8' })
    expect(spawnSync(command, args, { encoding: 'utf8' }).stdout).toBe(own.stdout)
  })

  test.each([limitedLine, byShell])(
    'that are higher than our own do not keep the program from starting',
    (limited) => {
      const high = { ...defaultChildLimits, openFiles: 2 ** 40, processes: 2 ** 30, fileBytes: 2 ** 52 }
      const { command, args } = limited({ command: '/bin/sh', args: ['-c', 'echo started'] }, high)
      expect(spawnSync(command, args, { encoding: 'utf8' }).stdout).toBe('started\n')
    },
  )
})

test('are told to people in round figures', () => {
  expect(byteText(1536)).toBe('1.5 KiB')
  expect(byteText(2 * 1024 ** 3)).toBe('2 GiB')
  if (process.platform !== 'win32')
    expect(describeLimits({ ...defaultChildLimits, processes: null })).toBe(
      'at most 300 s of processor time, 2 GiB of memory, 4096 open files, files of 1 GiB',
    )
})
