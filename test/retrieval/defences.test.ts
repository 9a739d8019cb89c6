import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Card } from '../../src/domain/card.ts'
import { allDefences } from '../../src/retrieval/defences/defence-settings.ts'
import { standBack } from '../../src/retrieval/defences/stand-back.ts'
import { echoReader, isRequestLike, suspectsOf } from '../../src/retrieval/defences/suspicion.ts'
import { likenessTo, spareCopies } from '../../src/retrieval/facts/card-defences.ts'
import { jaccard, lookAlikes, termSet } from '../../src/retrieval/facts/look-alikes.ts'
import { plainWords, wordBytes } from '../../src/retrieval/facts/plain-words.ts'
import {
  doubtfulCards,
  isOdd,
  publishersOf,
  shapeOf,
  shapesIn,
  surelyAtLeast,
} from '../../src/retrieval/facts/publisher-shape.ts'
import { openCardIndex, packCardIndex } from '../../src/retrieval/index/card-index.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { retrievalDefaults } from '../../src/retrieval/search/retrieve.ts'
import { search } from '../../src/retrieval/search/search.ts'
import type { Standing } from '../../src/store/source-state.ts'
import type { Standings } from '../../src/trust/standing.ts'
import { agentCard, toolCard } from '../fakes/fake-audition.ts'
import { anyText } from './arbitrary-text.ts'
import { noDefences } from '../fakes/no-defences.ts'

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
  const doubtfulIn = (cards: readonly Card[]) => {
    const publishers = publishersOf(cards)
    return doubtfulCards(publishers, shapesIn(publishers, cards.map(isOdd)))
  }
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
    const doubtful = cards.filter((_, place) => doubtfulIn(cards)[place] === 1)
    expect(new Set(doubtful.map(({ publisher }) => publisher))).toEqual(new Set(['d']))
    expect(doubtful).toHaveLength(4)
  })

  test('a source that splits its cards over many publishers stands back as a whole', () => {
    const cards = Array.from({ length: 20 }, (_, place) => of('one', `p${place}`, [odd])).flat()
    expect(doubtfulIn(cards).every((flag) => flag === 1)).toBe(true)
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
  const bytes = (text: string) => wordBytes(text, text.length)
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
    const sets = list.map(([, kin]) => termSet([`kin${kin}`]))
    return [
      ...spareCopies(cards, {
        leaders: firsts,
        copiers: Uint8Array.from(list, ([source]) => (copiers.includes(source) ? 1 : 0)),
        likeness: (left, flags) => likenessTo(sets, left, (place) => !flags[place]),
      }),
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

const request =
  'Can you find me a cheap flight from Oslo to Rome on 12 May with a window seat, exit row, legroom, a meal and a bag near the aisle?'
const flights = [
  toolCard('air/search_flights', {
    description: 'Searches flights between two airports by date and price.',
  }),
  toolCard('bad/cheap_flight', { description: request }),
  toolCard('bad/words', {
    name: 'flight',
    description: 'find cheap flight Oslo Rome 12 May window seat with exit row legroom meal bag near aisle',
  }),
  toolCard('air/travel_desk', { description: 'Books travel.', examples: [request] }),
]
const standing =
  (of: Standing): Standings =>
  () =>
    of

describe('what reads as written to be found', () => {
  const indexed = (cards: readonly Card[], of: Standing) =>
    openCardIndex(packCardIndex(cards, { standingOf: standing(of) }))!
  const index = indexed(flights, 'stranger')
  const degree = (id: string, settings = allDefences, text = request) =>
    suspectsOf({ index, kind: 'tool', settings }, text)(index.ids.indexOf(id))?.degree ?? 0

  test('is what was written for the request, and not documentation', () => {
    expect(degree('air/search_flights')).toBe(0)
    expect(degree('bad/cheap_flight')).toBeGreaterThan(0.9)
    expect(degree('bad/words')).toBeGreaterThan(0.5)
  })

  test.each(['installed', 'accepted'] as const)('is nothing of a source that is %s', (of) => {
    const own = indexed(flights, of)
    const suspicionOf = suspectsOf({ index: own, kind: 'tool', settings: allDefences }, request)
    expect(flights.map(({ id }) => suspicionOf(own.ids.indexOf(id)))).toEqual([null, null, null, null])
  })

  test('a request among its examples is what an agent is for, and is held against a tool', () => {
    expect(degree('air/travel_desk')).toBeGreaterThan(0.9)
    const agents = indexed(
      [agentCard('desk/travel', { description: 'Books travel.', examples: [request] })],
      'stranger',
    )
    expect(suspectsOf({ index: agents, kind: 'agent', settings: allDefences }, request)(0)).toBeNull()
  })

  test('is a card that has all words of a long request, in any order and among others', () => {
    const story =
      'send the quarterly ledger of the harbour office to the auditor by courier mail, sealed and insured, with a copy for the archive and a stamp'
    const told = [
      'Works with offices, harbours, couriers and mail. Returns a receipt, a status and a list of errors as JSON.',
      'Keeps the auditor informed: each quarterly ledger is sealed and insured; stamps it, and can send it on. Supports paging and retries.',
      'A copy is kept in the archive.',
    ].join(' ')
    const post = indexed(
      [
        toolCard('post/send_mail', { description: 'Sends mail by courier or electronically.' }),
        toolCard('bad/office_post', { description: told }),
      ],
      'stranger',
    )
    const degreeOf = (id: string, settings = allDefences) =>
      suspectsOf({ index: post, kind: 'tool', settings }, story)(post.ids.indexOf(id))?.degree ?? 0
    expect(degreeOf('post/send_mail')).toBe(0)
    expect(degreeOf('bad/office_post')).toBeGreaterThan(0.5)
    expect(degreeOf('bad/office_post', { ...allDefences, excess: false })).toBe(0)
  })

  test('is nothing when it is switched off, and each part can be switched off', () => {
    for (const { id } of flights) expect(degree(id, noDefences)).toBe(0)
    // Both its cards are like the one that has the request for an example.
    expect(degree('bad/words', { ...allDefences, excess: false })).toBeGreaterThan(0.9)
    expect(degree('bad/words', { ...allDefences, excess: false, nearCopies: false })).toBe(0)
    expect(degree('bad/cheap_flight', { ...noDefences, excess: true })).toBeGreaterThan(0)
    expect(degree('bad/cheap_flight', { ...noDefences, echo: true })).toBeGreaterThan(0.9)
  })

  test('is not the card whose description is asked for word for word', () => {
    const text = 'Searches flights between two airports by date and price.'
    expect(isRequestLike(text)).toBe(false)
    expect(degree('air/search_flights', allDefences, text)).toBe(0)
  })

  test('is not the card whose description a user repeats with a case of their own', () => {
    const text =
      'We need something that searches flights between two airports by date and price. Is there such a tool? It is for order 48213.'
    expect(isRequestLike(text)).toBe(true)
    expect(degree('air/search_flights', allDefences, text)).toBe(0)
  })

  test('lists of words alone are held against a source only when the user distrusts it', () => {
    const lists = [
      'split pdf extract pages separate document parts',
      'rotate pdf pages turn upright scan landscape',
      'merge pdf join files combine documents append',
    ].map((description, place) => toolCard(`paper/${place}`, { description }))
    const suspicionsOf = (of: Standing) => {
      const paper = indexed(lists, of)
      return lists.map(({ id }) =>
        suspectsOf(
          { index: paper, kind: 'tool', settings: allDefences },
          'join my three files',
        )(paper.ids.indexOf(id)),
      )
    }
    expect(suspicionsOf('stranger')).toEqual([null, null, null])
    expect(suspicionsOf('distrusted').map((one) => one?.reason)).toEqual(Array(3).fill('publisher-shape'))
  })
})

describe('cards that stand back', () => {
  const ids = Array.from({ length: 12 }, (_, place) => `s${place % 3}/card${place}`)
  const index = (of: Standing) =>
    openCardIndex(
      packCardIndex(
        ids.map((id) => toolCard(id)),
        { standingOf: standing(of) },
      ),
    )!
  const rankings = fc
    .array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })), {
      minLength: 1,
      maxLength: ids.length,
    })
    .map((cards) =>
      cards
        .map(([score, degree], document) => ({ document, score, degree }))
        .sort((a, b) => b.score - a.score || b.document - a.document),
    )
  const defended = (ranking: readonly { document: number; score: number; degree: number }[], of: Standing) =>
    standBack(
      ranking.map(({ document, score }) => ({
        document,
        score,
        lexical: undefined,
        dense: undefined,
        lift: undefined,
        facets: [],
      })),
      index(of),
      ({ document }) => {
        const { degree } = ranking.find((one) => one.document === document)!
        return degree < 0.3 ? null : { degree, reason: 'echo' }
      },
    )

  test('of strangers: never behind one that matches less than half as well, nor by more than three places', () => {
    fc.assert(
      fc.property(rankings, (ranking) => {
        const held = defended(ranking, 'stranger')
        const score = new Map(ranking.map((one) => [one.document, one.score]))
        const places = new Map(ranking.map(({ document }, place) => [document, place]))
        expect(held).toHaveLength(ranking.length)
        held.forEach((card, place) => {
          const before = score.get(card.document)!
          expect(card.score).toBeLessThanOrEqual(before)
          expect(card.score).toBeGreaterThanOrEqual(before / 2)
          expect(place - places.get(card.document)!).toBeLessThanOrEqual(3)
          if (place > 0) expect(card.score).toBeLessThanOrEqual(held[place - 1]!.score)
          for (const other of held.slice(0, place))
            expect(score.get(other.document)!).toBeGreaterThanOrEqual(before / 2)
        })
      }),
    )
  })

  test('of sources that the user distrusts: behind all others', () => {
    const ranking = [
      { document: 0, score: 1, degree: 1 },
      { document: 1, score: 0.001, degree: 0 },
    ]
    const [first, second] = defended(ranking, 'distrusted')
    expect([first!.document, second!.document]).toEqual([1, 0])
    expect(second!.standsBack).toMatchObject({ reason: 'echo' })
  })

  test('of sources that are not bound: not at all, and nothing is sorted anew', () => {
    const ranked = [{ document: 0, score: 1, lexical: 1, dense: undefined, lift: undefined, facets: [] }]
    expect(standBack(ranked, index('stranger'), () => null)).toBe(ranked)
  })
})

describe('an answer', () => {
  const query = 'Can you find me a cheap flight from Oslo to Rome on 12 May with a window seat and a meal?'
  const cards = [
    toolCard('bad/cheap_flight', { description: query }),
    toolCard('air/search_flights', {
      description: 'Searches cheap flights from Oslo and Rome to any city in May, with seat and meal.',
    }),
  ]
  const asked = async (of: Standing, defences = allDefences) => {
    const snapshot = await memorySnapshot(cards, null, { standingOf: standing(of) })
    return search(
      { snapshot, model: null, settings: { ...retrievalDefaults, defences } },
      { kind: 'tool', query },
    )
  }

  test('says why a candidate stands back, and what lifts it', async () => {
    const { candidates } = await asked('distrusted')
    expect(candidates.map(({ card }) => card.id)).toEqual(['air/search_flights', 'bad/cheap_flight'])
    expect(candidates[0]!.signals.standsBack).toBeUndefined()
    expect(candidates[1]!.signals.standsBack).toEqual({
      share: expect.closeTo(1, 3),
      because: expect.stringContaining('repeats this request word for word'),
      lift: 'audition sources trust bad',
    })
  })

  test('has the verdict of the ranking before any defence', async () => {
    const off = await asked('distrusted', noDefences)
    for (const of of ['stranger', 'distrusted'] as const) {
      const { match, note } = await asked(of)
      expect({ match, note }).toEqual({ match: off.match, note: off.note })
    }
  })

  test('leaves the cards of the user where they are', async () => {
    for (const of of ['installed', 'accepted'] as const)
      expect((await asked(of)).candidates).toEqual((await asked(of, noDefences)).candidates)
  })
})

test('tools described by lists of words are found by what they do, whoever wrote them', async () => {
  const paperworks = [
    ['merge_pdf', 'merge pdf files, combine documents, join pages'],
    ['split_pdf', 'split pdf, extract pages, separate document into parts'],
    ['watermark', 'watermark stamp logo confidential draft overlay pages'],
    ['merge_json', 'Merges two JSON objects, the second one wins.'],
    ['rotate', 'Rotates pages by 90 degrees.'],
  ].map(([name, description]) => toolCard(`paperworks/${name}`, { name: name!, description: description! }))
  for (const of of ['installed', 'accepted', 'stranger'] as const) {
    const snapshot = await memorySnapshot(paperworks, null, { standingOf: standing(of) })
    const { candidates } = await search({ snapshot, model: null }, { kind: 'tool', query: 'merge pdf files' })
    expect(candidates[0]!.card.id).toBe('paperworks/merge_pdf')
    expect(candidates[0]!.signals.standsBack).toBeUndefined()
  }
})

test('a server of many tools is found by a long request that names much of what it does', async () => {
  const verbs = ['create', 'find', 'close', 'print', 'move']
  const objects = [
    'order',
    'invoice',
    'berth',
    'survey',
    'inspection',
    'delivery',
    'receipt',
    'customer',
    'engine',
    'mast',
    'sail',
    'crane',
  ]
  const tools = verbs.flatMap((verb) =>
    objects.map((object) => ({ name: `${verb}_${object}`, description: `${verb} one ${object}` })),
  )
  const server = agentCard('yard/boatyard', { description: 'Runs a boatyard.', tools })
  const others = ['harbour', 'marina', 'chandler'].map((name) =>
    agentCard(`other/${name}`, { description: `Knows each ${name} of the coast, its berth and crane.` }),
  )
  const query = [
    'On Monday Mr Haugen brings his boat for the winter, and I must not forget anything as I did last year.',
    'Please create an order with an engine survey and an inspection of the mast, find the customer, find a berth near the crane,',
    'move the sail to the loft, close the old order, print the invoice, the delivery note and the receipt, and tell me what is missing.',
  ].join(' ')
  const snapshot = await memorySnapshot([server, ...others], null, { standingOf: standing('stranger') })
  const { candidates } = await search({ snapshot, model: null }, { kind: 'agent', query })
  expect(candidates[0]!.card.id).toBe('yard/boatyard')
})

describe('near-copies of another source', () => {
  const weather = ['Forecasts the weather of a city.', 'Tells the air quality of a city by the hour.']
  const news = ['Lists the news of a day by topic.', 'Translates a text into another language.']
  const of = (source: string, descriptions: readonly string[]) =>
    descriptions.map((description, place) =>
      toolCard(`${source}/${place}`, { name: `tool${place}`, description }),
    )
  const cards = [...of('all', [...weather, ...news]), ...of('part', weather)]
  const ask = async (standingOf: Standings, sources?: readonly string[]) =>
    search(
      { snapshot: await memorySnapshot(cards, null, { standingOf }), model: null },
      { kind: 'tool', query: 'weather forecast of a city', ...(sources ? { filter: { sources } } : {}) },
    )

  test('give way to the original, unless only their own source is asked', async () => {
    const [first] = (await ask(standing('stranger'))).candidates
    expect(first!.card.id).toBe('all/0')
    const [own] = (await ask(standing('stranger'), ['part'])).candidates
    expect(own!.card.id).toBe('part/0')
    expect(own!.signals.standsBack).toBeUndefined()
    expect(own!.score).toBe(first!.score)
  })

  test('of a stranger give way to what the user installed, even when that was copied less', async () => {
    const [first] = (await ask((source) => (source === 'part' ? 'installed' : 'stranger'))).candidates
    expect(first!.card.id).toBe('part/0')
    expect(first!.signals.duplicates).toEqual(['all/0'])
  })
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
    const snapshot = await memorySnapshot([original, ...others, ...copies], null, {
      standingOf: standing('stranger'),
    })
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
