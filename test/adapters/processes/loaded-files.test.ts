import { expect, test } from 'vitest'
import { loadedFiles } from '../../../src/adapters/processes/loaded-files.ts'
import { cpuTime } from '../../attacks/long-texts/cpu-time.ts'

/** Reads a script of so many lines. */
const read = (line: (at: number) => string, lines: number): void => {
  const text = Array.from({ length: lines }, (_, at) => line(at)).join('\n')
  const textOf = (path: string): string | undefined => (path === '/scripts/s.py' ? text : undefined)
  loadedFiles(['/scripts/s.py'], { textOf, top: '/scripts', folders: ['/scripts', '/other'] })
}

test.each<[string, (at: number) => string]>([
  ['names beside it and modules', (at) => `open(__file__, 'a${at}')\nimport m${at}`],
  ['one name and modules', (at) => `open(__file__, 'a')\nimport m${at}`],
  ['modules that are called', (at) => `open(__file__, 'a${at}')\nimport_module('m${at}')`],
])('ten times as many %s take at most 20 times as long', (_, line) => {
  const little = Math.max(
    10,
    cpuTime(() => read(line, 400), 3),
  )
  expect(cpuTime(() => read(line, 4_000), 3)).toBeLessThan(20 * little)
})
