import { expect, test } from 'vitest'
import type { IndexReport, SourceReport } from '../../src/indexing/index-report.ts'
import { indexOutcome, problemsOf } from '../../src/page/app/index-words.ts'

const source = (said: Partial<SourceReport> = {}): SourceReport => ({
  source: 'mine',
  location: '/mine',
  reader: 'profile',
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
  problems: [],
  ...said,
})
const report = (said: Partial<IndexReport> = {}): IndexReport => ({
  sources: [],
  problems: [],
  tools: 62,
  agents: 73,
  seconds: 0.2,
  ...said,
})
const problem = (severity: 'error' | 'warning', message: string) => ({
  severity,
  file: '/no/such/place',
  message,
  remedy: 'Check the path.',
})

test('a place that is not there was not read, whatever else is indexed', () => {
  expect(indexOutcome(report({ problems: [problem('error', 'does not exist')] }))).toEqual({
    isRead: false,
    title: 'Nothing was read: /no/such/place does not exist',
    detail: '',
  })
})

test('several reasons are left to the list of them', () => {
  const problems = [problem('warning', 'is odd'), problem('error', 'is broken')]
  expect(indexOutcome(report({ problems })).title).toBe('Nothing was read')
  expect(problemsOf(report({ problems })).map(({ message }) => message)).toEqual(['is broken', 'is odd'])
})

test('cards that stay of a source that failed were not read', () => {
  const failure = { message: 'MCP server "gone": it ended', remedy: 'See why.' }
  const { isRead, title } = indexOutcome(report({ sources: [source({ failure, unchanged: 4 })] }))
  expect([isRead, title]).toEqual([false, 'Nothing was read: MCP server "gone": it ended'])
  const kept = source({ notAsked: 'not agreed', unchanged: 4 })
  expect(indexOutcome(report({ sources: [kept] })).title).toBe('Nothing was read')
})

test('what was read is counted, and what left with the bundled catalog is not', () => {
  const sources = [source({ added: 2, unchanged: 1 }), source({ removed: 135 })]
  expect(indexOutcome(report({ sources, bundledCardsLeft: 135 }))).toEqual({
    isRead: true,
    title: '3 cards were read in 0.2 s',
    detail: '2 new, 1 as before.',
  })
  expect(indexOutcome(report({ sources: [source({ changed: 1, removed: 1 })] }))).toMatchObject({
    title: '1 card was read in 0.2 s',
    detail: '1 changed, 1 gone.',
  })
})

test('files of models and sources whose cards are all held were read', () => {
  expect(indexOutcome(report({ sources: [source({ models: { cards: 2, tasks: 0 } })] })).isRead).toBe(true)
  expect(indexOutcome(report({ sources: [source({ held: { changed: 0, quarantined: 2 } })] }))).toMatchObject(
    {
      isRead: true,
      title: 'Nothing came into search: 2 cards held',
    },
  )
})
