import type { Span } from './ansi-lines.ts'

/** What was typed, and the lines that came. */
export type Scene = { readonly command: string; readonly lines: readonly (readonly Span[])[] }

const size = { column: 7.8, row: 19, font: 13, margin: 20, bar: 34 }
const paper = '#11161d'
const ink = '#d5dde6'
const colours = ['#6b7684', '#f0736a', '#5fc88f', '#e0b458', '#6aa6f5', '#c58af0', '#55c2d0', '#d5dde6']
/** Seconds: a letter as it is typed, and from one line of output to the next. */
const pace = { letter: 0.035, line: 0.09, pause: 0.7 }

/** Columns of a text: ours has no wide letters. */
const columnsOf = (text: string): number => [...text].length

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function classesOf({ isBold, isDim, colour }: Span): string {
  const classes = [isBold ? 'b' : '', isDim ? 'd' : '', colour === null ? '' : `c${colour % 8}`]
  return classes.filter(Boolean).join(' ')
}

/** One line, each span at the column where the terminal had it. */
function drawnLine(spans: readonly Span[], row: number, from: number): string {
  let column = 0
  const pieces = spans.map((span) => {
    const x = size.margin + column * size.column
    column += columnsOf(span.text)
    const classes = classesOf(span)
    return `<tspan x="${x.toFixed(1)}"${classes === '' ? '' : ` class="${classes}"`}>${escaped(span.text)}</tspan>`
  })
  const y = size.bar + size.margin + row * size.row
  return `<text class="l" y="${y}" style="animation-delay:${from.toFixed(2)}s">${pieces.join('')}</text>`
}

/** A recording of a terminal as SVG: lines come one after another, once, and stay. Without animation all stand there. */
export function terminalSvg(title: string, scenes: readonly Scene[]): string {
  const drawn: string[] = []
  let row = 0
  let clock = 0.3
  let columns = 0
  for (const { command, lines } of scenes) {
    const typed: Span[] = [
      { text: '$ ', isBold: false, isDim: true, colour: 2 },
      { text: command, isBold: true, isDim: false, colour: null },
    ]
    clock += command.length * pace.letter
    for (const line of [typed, ...lines]) {
      if (line.length > 0) drawn.push(drawnLine(line, row, clock))
      columns = Math.max(
        columns,
        line.reduce((sum, { text }) => sum + columnsOf(text), 0),
      )
      clock += line === typed ? pace.pause : pace.line
      row += 1
    }
    row += 1
  }
  const width = Math.ceil(columns * size.column + size.margin * 2)
  const height = size.bar + size.margin + row * size.row
  const classes = colours.map((colour, index) => `.c${index}{fill:${colour}}`).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>text{font:${size.font}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${ink};white-space:pre}.b{font-weight:700}.d{opacity:.6}${classes}
.l{animation:come .01s linear both}@keyframes come{from{visibility:hidden}to{visibility:visible}}
@media (prefers-reduced-motion:reduce){.l{animation:none}}</style>
<rect width="${width}" height="${height}" rx="9" fill="${paper}"/>
${['#f0736a', '#e0b458', '#5fc88f'].map((colour, index) => `<circle cx="${size.margin + index * 18}" cy="18" r="5.5" fill="${colour}"/>`).join('')}
${drawn.join('\n')}
</svg>
`
}
