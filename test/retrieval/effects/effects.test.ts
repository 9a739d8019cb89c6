import { beforeAll, describe, expect, test } from 'vitest'
import { staticModel } from '../../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../../src/compose/open-models.ts'
import {
  type Effect,
  effectFactor,
  effectFit,
  effectShift,
  effects,
  toolEffect,
} from '../../../src/retrieval/effects/effect.ts'
import { requestIntent } from '../../../src/retrieval/effects/request-effect.ts'
import { requestVerbs } from '../../../src/retrieval/effects/request-verbs.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { type Asked, catalogs, requests } from './requests.ts'
import {
  askedNotToDo,
  askedOfPast,
  askedToDo,
  type UnlistedRequest,
  unlistedCatalogs,
} from './unlisted-requests.ts'
import {
  doingRequests,
  toldCatalogs,
  toldReaders,
  type ToldRequest,
  tellingRequests,
} from './told-requests.ts'

test.each([
  ['which orders have no customer', 'reads'],
  ['how many rows are there', 'reads'],
  ['I want to know which files changed', 'reads'],
  ['are there orders to delete', 'reads'],
  ['zeige mir alle Rechnungen', 'reads'],
  ['Could you please send a mail to Bob?', 'changes'],
  ['how do I create an issue', 'changes'],
  ['a tool that writes files', 'changes'],
  ['find the duplicates and delete them', 'destroys'],
  ['is there a way to remove a branch', 'destroys'],
  ['my tap drips', undefined],
  // What was done to a thing names it; the verb of the sentence says what is asked.
  ['customers that were deleted', 'reads'],
  ['orders updated today', 'reads'],
  ['recently removed files', 'reads'],
  ['unpaid invoices', 'reads'],
  ['comments deleted yesterday', 'reads'],
  ['I want a list of the customers we deleted', 'reads'],
  ['have the duplicates been merged', 'reads'],
  ['the number of orders that were inserted yesterday', 'reads'],
  ['people hired since June', 'reads'],
  ['update the orders that were cancelled', 'changes'],
  ['remove the files that were uploaded yesterday', 'destroys'],
  ['we need the stopped servers restarted', 'changes'],
  ['I would like the ticket closed', 'changes'],
  ['show me how to change the address', 'changes'],
  ['how can we delete a branch', 'destroys'],
  ['get rid of the records that were stored', 'destroys'],
  // Statements ask for nothing, and other verbs than those of effects are verbs too.
  ['deleted the wrong customer', undefined],
  ['the invoice was sent twice', undefined],
  ['the fan turned on again', undefined],
  ['press the key that was changed', undefined],
  ['', undefined],
] as const)('a request asks for an effect: %j %s', (text, expected) => {
  expect(requestIntent(text).asked).toBe(expected)
})

/** English and German, with verbs that no list of ours has as well. */
const askedPast = [
  'did we already refund order 77?',
  'have we already refunded order 77?',
  'have you ever cancelled a booking for Kim',
  'has anyone approved my leave request',
  'have we ever deleted a branch by accident',
  'had anybody closed the ticket before Monday',
  'was it paid',
  'were the invitations sent',
  'have they signed the lease',
  'hey, have you guys merged the pull request yet?',
  'so did anybody reset the router?',
  'could somebody have removed the label?',
  'might it have been overwritten last night',
  'not sure whether we paid the electrician',
  'I wonder if the parcel was shipped',
  "haven't we already blocked this account?",
  "didn't they upload the slides?",
  'any chance the domain was renewed',
  'has the refund arrived yet',
  'have the invoices been posted',
  'do you remember whether I locked the door',
  'remind me whether we archived that channel',
  'haben wir Bestellung 77 schon erstattet?',
  'hat jemand die Rechnung bezahlt',
  'wurde das Ticket geschlossen',
  'ist das Paket schon verschickt worden',
  'hast du den Branch gelöscht?',
  'sind die Einladungen versendet',
  'war der Termin schon abgesagt',
  'haben die Kunden den Vertrag unterschrieben',
  'wurden die alten Sicherungen jemals entfernt',
  'hatten wir das Konto gesperrt',
  'weißt du, ob wir die Lampe bestellt haben',
  'ich bin nicht sicher, ob die Überweisung storniert wurde',
] as const

test.each(askedPast)('who asks whether something was done asks to be told: %j', (text) => {
  expect(requestIntent(text).asked).toBe('reads')
})

test.each([
  'have the document signed',
  'have it shipped to Norway',
  'refund order 77',
  'if we already paid the invoice, archive it',
  'hast du ein Werkzeug, das Rechnungen verschickt',
  'kannst du das Ticket schließen',
  'please have Kim approve the leave',
  'could you have the ticket closed by noon',
  'wenn die Rechnung bezahlt ist, lösche sie',
  'ich habe die Rechnung bezahlt, lösche den Entwurf',
  'have a backup made of the database',
  'gibt es eine Möglichkeit, Branches zu löschen',
  'I wonder if you could convert the file',
  "haven't found anything suitable, book another room",
  'could you send the letters that I have signed',
])('what has the words of such a question and is none: %j', (text) => {
  expect(requestIntent(text).asked).not.toBe('reads')
})

test('tools that change stand back for a question about the past whatever its verb is', () => {
  const reporting = askedPast.filter((text) => !/whether|\b(?:if|ob|chance)\b/.test(text))
  expect(reporting.filter((text) => !requestIntent(text).reports)).toEqual([])
})

test.each([
  ['customers that were deleted', true],
  ['did the customer pay invoice 12', true],
  ['which orders have no customer', false],
  ['what is the status of my order', false],
  ['welche Tickets wurden gelöscht', true],
  // Whoever wants something done loses nothing.
  ['update the orders that were cancelled', false],
  ['find the files I removed and delete them', false],
] as const)('a request tells of changes, and asks for none: %j %s', (text, expected) => {
  expect(requestIntent(text).reports).toBe(expected)
})

test.each([
  ['Is the backup already encrypted?', 'encrypt', ''],
  ['did Kim escalate the ticket', 'escal', ''],
  ['I want to know whether the lease was prolonged', 'prolong', ''],
  ['get me a list of redeemed vouchers', 'redeem', ''],
  ['users I have not invited', 'invit', ''],
  ['was the offer withdrawn', 'withdraw', ''],
  ['transcribe the recorded call', 'record', ''],
  ['I did not cancel the order', 'cancel', ''],
  // What is wanted is not told as done.
  ['we have to get the passport stamped', '', ''],
  ['make sure the door is locked', '', ''],
  ['please have it notarized', '', ''],
  ['was the payment refunded? if not, refund it', '', ''],
  ['this ticket should be snoozed until Friday', '', ''],
  ['mark invoice 9 paid', '', ''],
  // What is not wanted; who cannot do a thing, or does not, refuses nothing.
  ["don't cancel the order, change its address", '', 'cancel'],
  ['create an invoice, do not send it', '', 'send'],
  ['send the draft without attaching the pdf', '', 'attach'],
  ['the order should not be shipped', '', 'ship'],
  ["I don't want the ticket closed", '', 'close'],
  ['instead of archiving the channel mute it', '', 'archiv'],
  ["why don't you archive it", '', ''],
  ["I can't log in", '', ''],
  ["the printer won't print", '', ''],
  ['customers who do not pay', '', ''],
  ["don't forget to ship the order", '', ''],
  ['not only translate but also summarise the text', '', ''],
] as const)('verbs that are told as done, and that are not wanted: %j %j %j', (text, done, refused) => {
  const verbs = requestVerbs(text)
  expect([...verbs.done].join(' ')).toBe(done)
  expect([...verbs.refused].join(' ')).toBe(refused)
})

test.each([
  ['get_user', '', undefined, 'reads'],
  ['order_list', '', undefined, 'reads'],
  ['deploy_app_logs_get', '', undefined, 'reads'],
  ['search_index_create', '', undefined, 'changes'],
  ['delete_search', '', undefined, 'destroys'],
  ['settings', 'Shows the settings.', undefined, 'reads'],
  ['list_deleted_items', '', undefined, 'reads'],
  ['insertMany', '', undefined, 'changes'],
  ['post_comment', '', undefined, 'changes'],
  ['order_remove', '', undefined, 'destroys'],
  ['weather', 'Sunshine and rain.', undefined, undefined],
  // What is declared counts before what is named.
  ['delete_preview', '', { readOnly: true }, 'reads'],
  ['fetch', '', { readOnly: false }, 'changes'],
  ['fetch', '', { destructive: true }, 'destroys'],
  ['update_row', '', { destructive: true }, 'changes'],
  ['delete_row', '', { readOnly: false }, 'destroys'],
] as const)('a tool has an effect: %s %j %j %s', (name, description, annotations, expected) => {
  expect(toolEffect(toolCard(`s/${name}`, { description, ...(annotations ? { annotations } : {}) }))).toBe(
    expected,
  )
})

test('an agent has none', () => expect(toolEffect(agentCard('s/delete_files'))).toBeUndefined())

test('the same effect fits best, what is not known neither fits nor fails, and nobody loses more than a bounded part', () => {
  const all: readonly (Effect | undefined)[] = [...effects, undefined]
  for (const asked of all) {
    for (const done of all) {
      const fit = effectFit(asked, done)
      if (asked === undefined || done === undefined) expect(fit).toBe(0)
      else if (asked === done) expect(fit).toBe(1)
      else expect(fit).toBeLessThan(0)
      for (const reports of [true, false]) {
        const factor = effectFactor({ asked, reports }, done)
        expect(factor).toBeGreaterThanOrEqual(reports ? 0.4 : 0.85)
        expect(factor).toBeLessThanOrEqual(1)
      }
    }
  }
})

test('a learned score falls for tools that change something only where somebody asks to be told, more where they declare it, for a question, and where the request tells of changes', () => {
  const told = { asked: 'reads', reports: false, asks: false } as const
  expect(effectShift(told, 'destroys', true)).toBe(-3)
  expect(effectShift(told, 'destroys', false)).toBe(-1.2)
  expect(effectShift({ ...told, asks: true }, 'destroys', false)).toBe(-3)
  expect(effectShift(told, 'changes', true)).toBeGreaterThan(-3)
  const reported = { asked: 'reads', reports: true, asks: false } as const
  for (const declared of [true, false]) {
    expect(effectShift(reported, 'destroys', declared)).toBe(-7)
    expect(effectShift(reported, 'changes', declared)).toBe(-7)
    for (const intent of [told, reported]) {
      expect(effectShift(intent, 'reads', declared)).toBeCloseTo(0)
      expect(effectShift(intent, undefined, declared)).toBeCloseTo(0)
    }
    for (const asked of ['changes', undefined] as const)
      expect(effectShift({ asked, reports: false, asks: false }, 'destroys', declared)).toBe(0)
  }
})

describe('sixty requests over small catalogs', () => {
  let model: EmbeddingModel
  const snapshots = new Map<Asked[0], CatalogSnapshot>()
  beforeAll(async () => {
    model = await staticModel(builtInModel)
    for (const of of Object.keys(catalogs) as Asked[0][])
      snapshots.set(of, await memorySnapshot(catalogs[of], model))
  })
  /** Requests whose first candidate is none of those that serve, with that candidate. */
  const missed = async (ranker: 'lexical' | 'learned'): Promise<readonly string[]> => {
    const lines: string[] = []
    for (const [of, query, serving] of requests) {
      const found = await search({ snapshot: snapshots.get(of)!, model }, { kind: 'tool', query, ranker })
      const first = found.candidates[0]?.card.name ?? 'nothing'
      if (!serving.split(' ').includes(first)) lines.push(`${query}: ${first}`)
    }
    return lines
  }

  test('there are sixty, half of which only want to know', () => {
    expect(requests).toHaveLength(60)
    expect(requests.filter(([, query]) => requestIntent(query).asked === 'reads')).toHaveLength(30)
  })

  test('the learned ranker puts what serves first', async () => {
    const lines = await missed('learned')
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(6)
  })

  test('words alone do so mostly', async () => {
    const lines = await missed('lexical')
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(18)
  })
})

describe('requests to be told about changes, beside readers and writers', () => {
  let model: EmbeddingModel
  const snapshots = new Map<ToldRequest[0], CatalogSnapshot>()
  beforeAll(async () => {
    model = await staticModel(builtInModel)
    for (const of of Object.keys(toldCatalogs) as ToldRequest[0][])
      snapshots.set(of, await memorySnapshot(toldCatalogs[of], model))
  })
  const firstOf = async ([of, query]: ToldRequest): Promise<string> => {
    const found = await search({ snapshot: snapshots.get(of)!, model }, { kind: 'tool', query })
    return found.candidates[0]?.card.name ?? 'nothing'
  }

  test('a tool that changes something comes first for three of sixty at most', async () => {
    const lines: string[] = []
    for (const asked of tellingRequests) {
      const first = await firstOf(asked)
      if (!toldReaders.has(first)) lines.push(`${asked[1]}: ${first}`)
    }
    expect(tellingRequests).toHaveLength(60)
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(3)
  })

  test('whoever wants something changed gets what changes it', async () => {
    const lines: string[] = []
    for (const [of, query, serving] of doingRequests) {
      const first = await firstOf([of, query])
      if (first !== serving) lines.push(`${query}: ${first}`)
    }
    expect(doingRequests).toHaveLength(30)
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(1)
  })
})

describe('verbs that no list has', () => {
  let model: EmbeddingModel
  const snapshots = new Map<UnlistedRequest[0], CatalogSnapshot>()
  beforeAll(async () => {
    model = await staticModel(builtInModel)
    for (const of of Object.keys(unlistedCatalogs) as UnlistedRequest[0][])
      snapshots.set(of, await memorySnapshot(unlistedCatalogs[of], model))
  })

  test.each([
    ['asked about the past, what reads comes first', askedOfPast, 42, { learned: 9, lexical: 27 }],
    ['a command gets what it names', askedToDo, 38, { learned: 0, lexical: 0 }],
    ['what is not wanted does not come first', askedNotToDo, 12, { learned: 0, lexical: 0 }],
  ] as const)('%s', async (_, requests, count, most) => {
    expect(requests).toHaveLength(count)
    for (const ranker of ['learned', 'lexical'] as const) {
      const lines: string[] = []
      for (const [of, query, serving] of requests) {
        const found = await search({ snapshot: snapshots.get(of)!, model }, { kind: 'tool', query, ranker })
        const first = found.candidates[0]?.card.name ?? 'nothing'
        if (!serving.split(' ').includes(first)) lines.push(`${query}: ${first}`)
      }
      expect(lines.length, `${ranker}\n${lines.join('\n')}`).toBeLessThanOrEqual(most[ranker])
    }
  })
})
