import { known, type AnswerKey } from './answer-key.ts'
import { plainWords } from './words.ts'

/** Patterns and lines. */
export const lineKeys: readonly AnswerKey[] = [
  {
    tool: 'find_pattern',
    draw(random) {
      const codes = Array.from(
        { length: random.whole(1, 5) },
        () => `${random.pick(['AB', 'CX', 'QZ'])}-${random.whole(10, 9999)}`,
      )
      const text = codes.map((code) => `${random.pick(plainWords)} ${code}`).join('; ')
      return known(
        `Find the order numbers (two capitals, hyphen, digits) in: ${text}`,
        { text, pattern: '[A-Z]{2}-\\d+' },
        { '$.matches[*].text': codes.length === 1 ? codes[0]! : codes },
      )
    },
  },
  {
    tool: 'replace_pattern',
    draw(random) {
      const dates = Array.from(
        { length: random.whole(1, 4) },
        () => [random.whole(1990, 2040), random.whole(10, 12), random.whole(10, 28)] as const,
      )
      const write = (put: (date: (typeof dates)[number]) => string) =>
        dates.map((date, index) => `${plainWords[index]} ${put(date)}`).join(', ')
      const text = write(([year, month, day]) => `${year}-${month}-${day}`)
      const given = { text, pattern: '(\\d+)-(\\d+)-(\\d+)', replacement: '$3.$2.$1' }
      return known(`Write the dates as day.month.year in: ${text}`, given, {
        text: write(([year, month, day]) => `${day}.${month}.${year}`),
        replaced: dates.length,
      })
    },
  },
  {
    tool: 'diff_lines',
    draw(random) {
      const lines = random.shuffled(plainWords).slice(0, random.whole(4, 10))
      const gone = random.some(lines, random.whole(0, 2))
      const kept = lines.filter((line) => !gone.includes(line))
      const fresh = Array.from({ length: random.whole(0, 2) }, (_, index) => `new line ${index + 1}`)
      const at = random.whole(0, kept.length)
      const after = [...kept.slice(0, at), ...fresh, ...kept.slice(at)]
      const expected = { added: fresh.length, removed: gone.length, same: kept.length }
      return known(
        `How many lines were added and removed?\nBefore:\n${lines.join('\n')}\nAfter:\n${after.join('\n')}`,
        { before: lines.join('\n'), after: after.join('\n') },
        expected,
      )
    },
  },
  {
    tool: 'sort_lines',
    draw(random) {
      const rising = random.pick([
        random.some(plainWords, 6),
        Array.from({ length: 5 }, (_, index) => `box ${index * 7 + random.whole(1, 7)}`),
      ])
      const by = rising[0]!.startsWith('box ') ? 'numeric' : 'alphabetical'
      const direction = random.pick(['ascending', 'descending'])
      const text = random.shuffled(rising).join('\n')
      const sorted = direction === 'ascending' ? rising : rising.toReversed()
      return known(
        `Sort these lines, ${by}, ${direction}:\n${text}`,
        { text, by, direction },
        { text: sorted.join('\n'), lines: rising.length },
      )
    },
  },
  {
    tool: 'dedupe_lines',
    draw(random) {
      const distinct = random.shuffled(plainWords).slice(0, random.whole(3, 8))
      const again = Array.from({ length: random.whole(1, 4) }, () => random.pick(distinct))
      const text = [...distinct, ...again].join('\n')
      return known(
        `Remove duplicate lines:\n${text}`,
        { text },
        { text: distinct.join('\n'), kept: distinct.length, removed: again.length },
      )
    },
  },
]
