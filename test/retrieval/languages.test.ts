import { describe, expect, test } from 'vitest'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { search } from '../../src/retrieval/search/search.ts'
import { smallCatalog } from './small-catalog.ts'

const snapshot = await memorySnapshot(smallCatalog)
const ask = (query: string) => search({ snapshot, model: null }, { kind: 'tool', query, k: 3 })

describe('a card is found in its language', () => {
  test.each([
    { why: 'a Chinese sentence around the words', query: '查询北京的天气', first: 'zh/查询天气' },
    { why: 'two Chinese characters', query: '天气', first: 'zh/查询天气' },
    { why: 'one Chinese character', query: '译', first: 'zh/翻译文本' },
    { why: 'Chinese with English beside it', query: '翻译 this letter', first: 'zh/翻译文本' },
    { why: 'another Russian case', query: 'какая погода в Москве', first: 'ru/прогноз' },
    { why: 'capitals in Russian', query: 'ПЕРЕВОД ТЕКСТА', first: 'ru/перевод' },
    { why: 'Arabic without the article', query: 'طقس', first: 'ar/الطقس' },
    { why: 'Arabic with vowel signs', query: 'الطَّقْسُ', first: 'ar/الطقس' },
    { why: 'an Arabic question', query: 'ما هو الطقس في القاهرة؟', first: 'ar/الطقس' },
    { why: 'Korean with particles', query: '서울 날씨를 알려줘', first: 'ko/날씨' },
    { why: 'Thai without spaces', query: 'พยากรณ์อากาศวันนี้', first: 'th/พยากรณ์' },
    { why: 'one emoji', query: '🚀', first: 'shop/deploy_rocket' },
    { why: 'an emoji and words', query: 'ship it 🚀 today', first: 'shop/deploy_rocket' },
    { why: 'a name in a Chinese sentence', query: '在GitHub上搜索代码', first: 'hub/github_search' },
  ])('$query finds $first: $why', async ({ query, first }) => {
    const { candidates } = await ask(query)
    expect(candidates[0]?.card.id).toBe(first)
    expect(candidates[0]!.signals.matched.length).toBeGreaterThan(0)
  })

  test('what matched is told in parts, not as the whole sentence', async () => {
    const { candidates } = await ask('查询北京的天气')
    expect(candidates[0]!.signals.matched).toEqual(expect.arrayContaining(['查询', '天气']))
    expect(candidates[0]!.signals.matched).not.toContain('北京')
  })

  test('a Chinese request that is covered is a good match, one about something else is none', async () => {
    expect((await ask('查询城市的天气预报')).match).toBe('good')
    expect((await ask('演奏小提琴协奏曲')).match).toBe('none')
  })
})

test.each(['', ' ', '\u0000', '\ud800', '?!', 'the of', '\u200d', '🏽'])(
  'a query that says nothing, %j, finds nothing and says so',
  async (query) => {
    const { candidates, match, note } = await ask(query)
    expect(candidates).toEqual([])
    expect(match).toBe('none')
    expect(note).not.toBe('')
  },
)
