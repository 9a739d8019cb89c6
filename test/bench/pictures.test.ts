import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ansiLines } from '../../bench/pictures/ansi-lines.ts'
import { terminalSvg } from '../../bench/pictures/terminal-svg.ts'

const pictures = resolve(import.meta.dirname, '../../docs/pictures')
const usual = { isBold: false, isDim: false, colour: null }

test('what a terminal was told of colours becomes spans, over line ends too', () => {
  const lines = ansiLines(
    '\u001b[1mTools\u001b[22m \u001b[2m(62\nsearched)\u001b[0m \u001b[96mid\u001b[39m.\n',
  )
  expect(lines).toEqual([
    [
      { ...usual, text: 'Tools', isBold: true },
      { ...usual, text: ' ' },
      { ...usual, text: '(62', isDim: true },
    ],
    [
      { ...usual, text: 'searched)', isDim: true },
      { ...usual, text: ' ' },
      { ...usual, text: 'id', colour: 14 },
      { ...usual, text: '.' },
    ],
  ])
})

test('a recording says what was printed, and nothing in it is markup', () => {
  const svg = terminalSvg('A test', [
    { command: 'say <hi>', lines: ansiLines('a & \u001b[36m</text>\u001b[39m') },
  ])
  expect(svg).toContain('say &lt;hi&gt;')
  expect(svg).toContain('>a &amp; </tspan>')
  expect(svg).toContain('class="c6">&lt;/text&gt;</tspan>')
  expect(svg.match(/<text /g)).toHaveLength(2)
})

test('the pictures of the first page are small, and name no folder of a machine', () => {
  expect(statSync(join(pictures, 'report.png')).size).toBeLessThan(200_000)
  const svg = readFileSync(join(pictures, 'quickstart.svg'), 'utf8')
  expect(svg.length).toBeLessThan(50_000)
  expect(svg).toContain('audition quickstart')
  expect(svg).not.toMatch(/\/(?:home|Users|tmp|root)\//)
})
