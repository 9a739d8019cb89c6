import { describe, expect, test } from 'vitest'
import type { CardKind } from '../../src/domain/card.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { search } from '../../src/retrieval/search/search.ts'
import { smallCatalog } from './small-catalog.ts'

const snapshot = await memorySnapshot(smallCatalog)

const firstThree = async (kind: CardKind, query: string): Promise<string[]> => {
  const { candidates } = await search({ snapshot, model: null }, { kind, query, k: 3 })
  return candidates.map(({ card }) => card.id)
}

describe('the first three tools of a small catalog stay', () => {
  test.each([
    {
      why: 'one card holds all words; of its siblings the one that tells of a repository is nearer',
      query: 'list the open issues of a repository',
      first: ['forge/list_issues', 'forge/create_issue', 'forge/close_issue'],
    },
    { why: 'a camel-case name is found by its words', query: 'get user by id', first: ['forge/getUserById'] },
    {
      why: 'the name says both words; the other card searches something else',
      query: 'search GitHub',
      first: ['hub/github_search', 'post/search_inbox'],
    },
    {
      why: 'an example in the words of users is read, too; the mirror of the card is folded into it',
      query: 'umbrella for Oslo',
      first: ['sky/get_forecast'],
    },
    { why: 'a parameter names the currency', query: 'EUR to dollars', first: ['money/convert_currency'] },
    { why: 'digits belong to the name', query: 'mp3', first: ['media/mp3_to_wav'] },
    {
      why: 'the name counts more than a word in passing',
      query: 'convert a wav recording',
      first: ['media/mp3_to_wav', 'money/convert_currency'],
    },
    {
      why: 'another spelling of the name matches its joined form',
      query: 'subtitles of a youtube video',
      first: ['media/youtube_transcript', 'ar/ترجمة'],
    },
    {
      why: 'each of the three steps keeps its tool',
      query: 'book a flight to Rome and then reserve a hotel room, and email the plan to Ann',
      first: ['trip/reserve_hotel', 'trip/book_flight', 'post/send_email'],
    },
    { why: 'an emoji in a title is a word', query: 'launch 🚀', first: ['shop/deploy_rocket'] },
    {
      why: 'of two languages both find theirs, GitHub by name and by content first',
      query: '查询 GitHub issues',
      first: ['hub/github_search', 'zh/查询天气', 'forge/create_issue'],
    },
    {
      why: 'equal evidence stands by id, descending',
      query: 'subject',
      first: ['post/search_inbox', 'post/send_email'],
    },
    { why: 'nothing is near it', query: 'quantum chromodynamics on a lattice', first: [] },
  ])('$query: $why', async ({ query, first }) => {
    expect(await firstThree('tool', query)).toEqual(first)
  })
})

describe('the first three agents of a small catalog stay', () => {
  test.each([
    {
      why: 'an example in the words of users decides',
      query: 'check this rental contract',
      first: ['team/lease-reviewer'],
    },
    {
      why: 'the prompt is read, the description counts more',
      query: 'bisect the failing commits',
      first: ['team/bug-hunter'],
    },
    { why: 'a terse planner has the tool', query: 'book a flight to Rome', first: ['team/trip-planner'] },
    {
      why: 'the toolkit owns the tool; a shared tool lifts nobody else',
      query: 'create an issue',
      first: ['forge/forge'],
    },
  ])('$query: $why', async ({ query, first }) => {
    expect(await firstThree('agent', query)).toEqual(first)
  })
})
