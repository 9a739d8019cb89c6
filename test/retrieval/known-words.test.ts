import { expect, test } from 'vitest'
import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../src/compose/open-models.ts'
import { knownShare } from '../../src/retrieval/rank/soft-match.ts'

test.each([
  { why: 'plain English', text: 'show me the open issues of this repository', least: 1, most: 1 },
  {
    why: 'a few unknown names among many words',
    text: 'send the report of Qxzvor to everybody in the team',
    least: 0.8,
    most: 1,
  },
  {
    why: 'German',
    text: 'zeig mir die offenen Vorgänge dieses Verzeichnisses und schließe erledigte',
    least: 0,
    most: 0.75,
  },
  { why: 'Japanese', text: '明日の会議の予定を教えてください', least: 0, most: 0.5 },
  { why: 'no word at all', text: '42 !?', least: 1, most: 1 },
])('of $why, from $least to $most of the words are known', async ({ text, least, most }) => {
  const { ranker } = await staticModel(builtInModel)
  const share = knownShare(text, ranker!.matcher)
  expect(share).toBeGreaterThanOrEqual(least)
  expect(share).toBeLessThanOrEqual(most)
})
