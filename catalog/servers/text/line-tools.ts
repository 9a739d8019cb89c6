import * as z from 'zod'
import { textField } from '../shared/fields.ts'
import { defineTool } from '../shared/tool.ts'
import { diffLines } from './diff-lines.ts'
import { dedupeLines, linesOf, sortLines } from './lines.ts'
import { findMatches, replacePattern } from './patterns.ts'

const pattern = z
  .string()
  .min(1)
  .max(1000)
  .describe('JavaScript regular expression, without slashes around it.')
const flags = z
  .string()
  .regex(/^[imsu]*$/, 'send only the flags i, m, s, u')
  .default('')
  .describe('Any of i (ignore case), m (^ and $ at line ends), s (dot matches line breaks), u.')
const signs = { same: ' ', added: '+', removed: '-' } as const

/** Patterns and lines. */
export const lineTools = [
  defineTool({
    name: 'find_pattern',
    title: 'Find a pattern',
    description:
      'Find all matches of a regular expression in a text, with positions and captured groups: order numbers, phone ' +
      'numbers, log fields. A pattern that runs for more than a second is stopped.',
    input: z.strictObject({ text: textField('The text to search.'), pattern, flags }),
    output: z.object({
      matches: z.array(
        z.object({ text: z.string(), index: z.int(), groups: z.array(z.string().nullable()) }),
      ),
    }),
    example: { text: 'A-12, B-7', pattern: '([A-Z])-(\\d+)' },
    handle({ text, pattern: expression, flags: given }) {
      const matches = findMatches(text, expression, given).map((match) => ({
        ...match,
        groups: [...match.groups],
      }))
      const shown = matches.slice(0, 20).map((match) => match.text)
      return {
        result: { matches },
        text: `${matches.length} matches${shown.length > 0 ? `: ${shown.join(', ')}` : ''}`,
      }
    },
  }),
  defineTool({
    name: 'replace_pattern',
    title: 'Replace a pattern',
    description:
      'Replace every match of a regular expression in a text; $1 and $<name> in the replacement stand for captured ' +
      'groups. Use it to reformat dates, mask numbers or clean up text. Stopped after a second.',
    input: z.strictObject({
      text: textField('The text to change.'),
      pattern,
      replacement: z.string().max(10_000).describe('What to put in place of each match.'),
      flags,
    }),
    output: z.object({ text: z.string(), replaced: z.int() }),
    example: { text: '2026-03-09', pattern: '(\\d+)-(\\d+)-(\\d+)', replacement: '$3.$2.$1' },
    handle({ text, pattern: expression, replacement, flags: given }) {
      const result = replacePattern(text, expression, given, replacement)
      return { result, text: result.text }
    },
  }),
  defineTool({
    name: 'diff_lines',
    title: 'Compare two texts',
    description:
      'Compare two versions of a text line by line and list what was added and removed. Use it to review edits to ' +
      'contracts, configurations or lists.',
    input: z.strictObject({ before: textField('Old version.'), after: textField('New version.') }),
    output: z.object({
      added: z.int(),
      removed: z.int(),
      same: z.int(),
      lines: z.array(z.object({ change: z.enum(['same', 'added', 'removed']), text: z.string() })),
    }),
    example: { before: 'milk\nbread\neggs', after: 'milk\nbutter\neggs' },
    handle({ before, after }) {
      const lines = diffLines(linesOf(before), linesOf(after)).map((line) => ({ ...line }))
      const count = (change: keyof typeof signs) => lines.filter((line) => line.change === change).length
      const changed = lines.filter(({ change }) => change !== 'same')
      return {
        result: { added: count('added'), removed: count('removed'), same: count('same'), lines },
        text: changed.map(({ change, text }) => `${signs[change]} ${text}`).join('\n') || 'No difference.',
      }
    },
  }),
  defineTool({
    name: 'sort_lines',
    title: 'Sort lines',
    description: 'Sort the lines of a text alphabetically, by their first number, or by length.',
    input: z.strictObject({
      text: textField('One entry per line.'),
      by: z.enum(['alphabetical', 'ignoreCase', 'numeric', 'length']).default('alphabetical'),
      direction: z.enum(['ascending', 'descending']).default('ascending'),
    }),
    output: z.object({ text: z.string(), lines: z.int() }),
    example: { text: 'item 10\nitem 9\nitem 2', by: 'numeric' },
    handle({ text, by, direction }) {
      const sorted = sortLines(linesOf(text), by, direction)
      return { result: { text: sorted.join('\n'), lines: sorted.length }, text: sorted.join('\n') }
    },
  }),
  defineTool({
    name: 'dedupe_lines',
    title: 'Remove duplicate lines',
    description:
      'Remove repeated lines: the first of each stays, in the order they came. Meant for mailing lists and keyword lists.',
    input: z.strictObject({
      text: textField('One entry per line.'),
      compare: z.enum(['exactly', 'ignoreCaseAndSpace']).default('exactly'),
    }),
    output: z.object({ text: z.string(), kept: z.int(), removed: z.int() }),
    example: { text: 'apple\npear\napple' },
    handle({ text, compare }) {
      const lines = linesOf(text)
      const kept = dedupeLines(lines, compare)
      const result = { text: kept.join('\n'), kept: kept.length, removed: lines.length - kept.length }
      return { result, text: result.text }
    },
  }),
]
