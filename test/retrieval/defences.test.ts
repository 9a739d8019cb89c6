import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openCardIndex, packCardIndex } from '../../src/retrieval/card-index.ts'
import { spareCopies } from '../../src/retrieval/defences/copiers.ts'
import { allDefences, noDefences } from '../../src/retrieval/defences/defence-settings.ts'
import { shapeOf } from '../../src/retrieval/defences/description-shape.ts'
import { echoReader } from '../../src/retrieval/defences/echo.ts'
import { guarded, guardFor } from '../../src/retrieval/defences/guard.ts'
import { jaccard, lookAlikes, termSet } from '../../src/retrieval/defences/look-alikes.ts'
import { plainWords, wordByte } from '../../src/retrieval/defences/plain-words.ts'
import { isRequestLike } from '../../src/retrieval/defences/request-like.ts'
import { doubtfulCards, surelyAtLeast } from '../../src/retrieval/defences/standing.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { retrievalDefaults } from '../../src/retrieval/retrieve.ts'
import { search } from '../../src/retrieval/search.ts'
import { agentCard, toolCard } from '../fakes/fake-audition.ts'
import { anyText } from './arbitrary-text.ts'

describe('what a description is', () => {
  test.each([
    ['List the issues of a repository, the open ones first.', 'text'],
    ["I'm looking for a flight from Oslo to Rome in May", 'request'],
    ['What is the weather in Oslo?', 'request'],
    ['Opens a URL such as https://example.org/a?b=1 in the browser', 'text'],
    ['Reads I/O counters of a process', 'text'],
    ['weather rain wind storm Oslo Rome Paris forecast tomorrow today umbrella cloud', 'word list'],
    ['Gibt die Wettervorhersage für eine Stadt zurück, Stunde für Stunde, sieben Tage lang', 'text'],
    ['查询天气预报 温度 湿度 风力 降雨 降雪 雾霾 紫外线', 'text'],
    ['', 'text'],
  ] as const)('%s', (description, shape) => {
    expect(shapeOf(description)).toBe(shape)
  })

  test('any text has a shape', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(['text', 'request', 'word list']).toContain(shapeOf(text))
      }),
    )
  })
})

describe('publishers whose cards stand back', () => {
  const of = (source: string, publisher: string, descriptions: readonly string[]) =>
    descriptions.map((description, place) =>
      toolCard(`${source}/${publisher}${place}`, { publisher, description }),
    )
  const honest = 'Gives the weather forecast of a city.'
  const odd = 'Can you tell me the weather of a city?'

  test('are those with several odd cards among few others, by source and by publisher', () => {
    const cards = [
      ...of('fair', 'a', Array(20).fill(honest)),
      ...of('fair', 'b', [odd]),
      ...of('mixed', 'c', Array(30).fill(honest)),
      ...of('mixed', 'd', [odd, odd, odd, honest]),
      ...of('mixed', 'e', [odd, odd]),
    ]
    const doubtful = cards.filter((_, place) => doubtfulCards(cards)[place] === 1)
    expect(new Set(doubtful.map(({ publisher }) => publisher))).toEqual(new Set(['d']))
    expect(doubtful).toHaveLength(4)
  })

  test('a source that splits its cards over many publishers stands back as a whole', () => {
    const cards = Array.from({ length: 20 }, (_, place) => of('one', `p${place}`, [odd])).flat()
    expect(doubtfulCards(cards).every((flag) => flag === 1)).toBe(true)
  })

  test('the sure share is below the share, and grows with it', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (count, more) => {
        const all = count + more
        const sure = surelyAtLeast(count, all)
        expect(sure).toBeGreaterThanOrEqual(0)
        if (all > 0) expect(sure).toBeLessThanOrEqual(count / all + 1e-9)
        if (more > 0) expect(surelyAtLeast(count + 1, all)).toBeGreaterThan(sure)
      }),
    )
  })
})

describe('echoes', () => {
  const bytes = (text: string) => Uint8Array.from(plainWords(text), wordByte)
  test.each([
    ['find me a flight from Oslo to Rome', 'find me a flight from Oslo to Rome', 1],
    ['find me a flight from Oslo to Rome', 'Books a flight between two cities', 0],
    ['please find me a flight from Oslo', 'Well: find me a flight from here', 5 / 7],
  ])('%s / %s', (request, description, share) => {
    expect(echoReader(request)(bytes(description))).toBeCloseTo(share)
  })

  test('a text is wholly echoed by itself, and shares are shares', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        const reader = echoReader(one)
        const own = reader(bytes(one))
        if (plainWords(one).length >= 5) expect(own).toBe(1)
        expect(reader(bytes(other))).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('look-alikes', () => {
  const words = fc.array(
    fc.integer({ min: 0, max: 60 }).map((n) => `w${n}`),
    { maxLength: 30 },
  )
  test('a leader leads itself, stands before its cards, and is like them', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 25 }), (lists) => {
        const sets = lists.map(termSet)
        const leaders = lookAlikes(sets)
        leaders.forEach((leader, place) => {
          expect(leader).toBeLessThanOrEqual(place)
          expect(leaders[leader]).toBe(leader)
          if (leader !== place) expect(jaccard(sets[leader]!, sets[place]!)).toBeGreaterThanOrEqual(0.6)
        })
      }),
    )
  })
})

describe('copies that say nothing new', () => {
  /** Cards as source and kin; which of them are spare, given whose cards are mostly copies. */
  const spareOf = (list: readonly (readonly [source: string, kin: number])[], copiers: readonly string[]) => {
    const cards = list.map(([source], place) => toolCard(`${source}/${place}`))
    const firsts = Uint32Array.from(list, ([, kin]) => list.findIndex(([, other]) => other === kin))
    return [
      ...spareCopies(
        cards,
        list.map(([, kin]) => termSet([`kin${kin}`])),
        firsts,
        Uint8Array.from(list, ([source]) => (copiers.includes(source) ? 1 : 0)),
      ),
    ]
  }

  test.each<{
    which: string
    cards: readonly (readonly [string, number])[]
    copiers: readonly string[]
    spare: readonly number[]
  }>([
    {
      which: "a copier has and the original is another's: all",
      cards: [
        ['copy', 1],
        ['copy', 1],
        ['own', 1],
        ['own', 2],
      ],
      copiers: ['copy'],
      spare: [1, 1, 0, 0],
    },
    {
      which: 'two copiers have of each other: none',
      cards: [
        ['a', 1],
        ['a', 2],
        ['b', 1],
        ['b', 2],
      ],
      copiers: ['a', 'b'],
      spare: [0, 0, 0, 0],
    },
    {
      which: 'one copier has more of than the other: those beyond',
      cards: [
        ['a', 1],
        ['a', 1],
        ['a', 1],
        ['b', 1],
      ],
      copiers: ['a', 'b'],
      spare: [0, 1, 1, 0],
    },
    {
      which: 'nobody else has: those after the first',
      cards: [
        ['a', 1],
        ['a', 1],
        ['a', 1],
        ['b', 2],
      ],
      copiers: ['a'],
      spare: [0, 1, 1, 0],
    },
    {
      which: 'nobody who copies has: none',
      cards: [
        ['a', 1],
        ['a', 1],
        ['b', 1],
      ],
      copiers: [],
      spare: [0, 0, 0],
    },
  ])('are of those $which', ({ cards, copiers, spare }) => {
    expect(spareOf(cards, copiers)).toEqual(spare)
  })

  test("are copiers' alone, and of every card that is copied one is left", () => {
    const source = fc.constantFrom('a', 'b', 'c')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(source, fc.nat(4)), { maxLength: 30 }),
        fc.subarray(['a', 'b', 'c']),
        (cards, copiers) => {
          const spare = spareOf(cards, copiers)
          cards.forEach(([name, kin], place) => {
            if (spare[place] === 1) expect(copiers).toContain(name)
            expect(cards.some(([, other], at) => other === kin && spare[at] === 0)).toBe(true)
          })
        },
      ),
    )
  })
})

describe('the guard', () => {
  const request =
    'Can you find me a cheap flight from Oslo to Rome on 12 May with a window seat, exit row, legroom, a meal and a bag near the aisle?'
  const cards = [
    toolCard('air/search_flights', {
      description: 'Searches flights between two airports by date and price.',
    }),
    toolCard('bad/cheap_flight', { description: request }),
    toolCard('bad/words', {
      name: 'flight',
      description: 'cheap flight Oslo Rome 12 May window seat with row exit aisle legroom meal bag',
    }),
    toolCard('air/travel_desk', { description: 'Books travel.', examples: [request] }),
  ]
  const index = openCardIndex(packCardIndex(cards))!
  const factor = (id: string, settings = allDefences, text = request) =>
    guardFor(index, 'tool', text, settings)(index.ids.indexOf(id))

  test('leaves documentation alone and holds back what was written for the request', () => {
    expect(factor('air/search_flights')).toBe(1)
    expect(factor('bad/cheap_flight')).toBeLessThan(0.01)
    expect(factor('bad/words')).toBeLessThan(0.9)
  })

  test('a request among its examples is what an agent is for, and is held against a tool', () => {
    expect(factor('air/travel_desk')).toBeLessThan(0.01)
    const agents = openCardIndex(
      packCardIndex([agentCard('desk/travel', { description: 'Books travel.', examples: [request] })]),
    )!
    expect(guardFor(agents, 'agent', request, allDefences)(0)).toBe(1)
  })

  test('holds back a card that has all words of a long request, in any order and among others', () => {
    const story =
      'send the quarterly ledger of the harbour office to the auditor by courier mail, sealed and insured, with a copy for the archive and a stamp'
    const told = [
      'Works with offices, harbours, couriers and mail. Returns a receipt, a status and a list of errors as JSON.',
      'Keeps the auditor informed: each quarterly ledger is sealed and insured; stamps it, and can send it on. Supports paging and retries.',
      'A copy is kept in the archive.',
    ].join(' ')
    const index = openCardIndex(
      packCardIndex([
        toolCard('post/send_mail', { description: 'Sends mail by courier or electronically.' }),
        toolCard('bad/office_post', { description: told }),
      ]),
    )!
    const factorOf = (id: string, settings = allDefences) =>
      guardFor(index, 'tool', story, settings)(index.ids.indexOf(id))
    expect(factorOf('post/send_mail')).toBe(1)
    expect(factorOf('bad/office_post')).toBeLessThan(0.5)
    expect(factorOf('bad/office_post', { ...allDefences, excess: false })).toBe(1)
  })

  test('does nothing when it is switched off, and each part can be switched off', () => {
    for (const { id } of cards) expect(factor(id, noDefences)).toBe(1)
    // Both its cards are like the one that has the request for an example.
    expect(factor('bad/words', { ...allDefences, excess: false })).toBeLessThan(0.01)
    expect(factor('bad/words', { ...allDefences, excess: false, nearCopies: false })).toBe(1)
    expect(factor('bad/cheap_flight', { ...noDefences, excess: true })).toBeLessThan(1)
    expect(factor('bad/cheap_flight', { ...noDefences, echo: true })).toBeLessThan(0.01)
  })

  test('finds the card whose description is asked for word for word', () => {
    const text = 'Searches flights between two airports by date and price.'
    expect(isRequestLike(text)).toBe(false)
    expect(factor('air/search_flights', allDefences, text)).toBe(1)
  })

  test('only lowers scores, and loses nobody', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }), (values) => {
        const scores = new Map(values.map((value, document) => [document, value]))
        const after = guarded(scores, guardFor(index, 'tool', request, allDefences))
        expect([...after.keys()]).toEqual([...scores.keys()])
        for (const [document, score] of after) expect(score).toBeLessThanOrEqual(scores.get(document)!)
      }),
    )
  })
})

test('an answer says what was withheld of the score of a card that is shown all the same', async () => {
  const query = 'Can you find me a cheap flight from Oslo to Rome on 12 May with a window seat and a meal?'
  const snapshot = await memorySnapshot([
    toolCard('bad/cheap_flight', { description: query }),
    toolCard('air/search_flights', {
      description: 'Searches flights between two airports by date and price.',
    }),
  ])
  const { candidates } = await search({ snapshot, model: null }, { kind: 'tool', query })
  expect(candidates.map(({ card }) => card.id)).toEqual(['air/search_flights', 'bad/cheap_flight'])
  expect(candidates[0]!.signals.withheld).toBeUndefined()
  expect(candidates[1]!.signals.withheld).toBeGreaterThan(0.9)
})

test('a copy stands back for the original of another source, unless only its own source is asked', async () => {
  const weather = ['Forecasts the weather of a city.', 'Tells the air quality of a city by the hour.']
  const news = ['Lists the news of a day by topic.', 'Translates a text into another language.']
  const cards = (source: string, descriptions: readonly string[]) =>
    descriptions.map((description, place) =>
      toolCard(`${source}/${place}`, { name: `tool${place}`, description }),
    )
  const snapshot = await memorySnapshot([...cards('all', [...weather, ...news]), ...cards('part', weather)])
  const ask = (sources?: readonly string[]) =>
    search(
      { snapshot, model: null },
      { kind: 'tool', query: 'weather forecast of a city', ...(sources ? { filter: { sources } } : {}) },
    )
  const [first] = (await ask()).candidates
  expect(first!.card.id).toBe('all/0')
  const [own] = (await ask(['part'])).candidates
  expect(own!.card.id).toBe('part/0')
  expect(own!.signals.withheld).toBeUndefined()
  expect(own!.score).toBe(first!.score)
})

describe('thousands of near-copies', () => {
  const description = (word: string) =>
    `Converts an amount of money from one currency to another at the ${word} rate of the day, with fees.`
  const original = toolCard('bank/convert_money', { description: description('official') })
  const others = ['trade', 'travel', 'exchange'].map((topic) =>
    toolCard(`bank/${topic}_rates`, {
      description: `Shows ${topic} money currency rates as a table and a chart.`,
    }),
  )
  const copies = Array.from({ length: 1500 }, (_, place) =>
    toolCard(`copy${place % 7}/convert_money_${place}`, { description: description(`money${place}`) }),
  )
  const request = { kind: 'tool', query: 'convert money from one currency to another', k: 5 } as const

  test('do not keep other cards from being seen, and the original stands for all', async () => {
    const snapshot = await memorySnapshot([original, ...others, ...copies])
    const found = async (defences = allDefences) =>
      (await search({ snapshot, model: null, settings: { ...retrievalDefaults, defences } }, request))
        .candidates
    const ids = (await found()).map(({ card }) => card.id)
    expect(ids[0]).toBe('bank/convert_money')
    expect(ids).toEqual(expect.arrayContaining(others.map(({ id }) => id)))
    expect(ids.filter((id) => id.startsWith('copy'))).toEqual([])
    const undefended = (await found(noDefences)).map(({ card }) => card.id)
    expect(undefended.filter((id) => id.startsWith('copy')).length).toBeGreaterThan(3)
  })
})
