import { beforeAll, describe, expect, test } from 'vitest'
import { staticModel } from '../../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../../src/compose/open-models.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import { namePlaces } from '../../../src/retrieval/named-systems/name-places.ts'
import { requestWords } from '../../../src/retrieval/named-systems/request-words.ts'
import { modelOfNames } from '../../../src/retrieval/named-systems/catalog-names.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { businessCatalogs } from './business-catalogs.ts'
import { missingRequests, servedRequests } from './missing-requests.ts'

type CatalogName = keyof typeof businessCatalogs

let model: EmbeddingModel
beforeAll(async () => {
  model = await staticModel(builtInModel)
})

test('what was learned of vectors was learned of those that are shipped', () => {
  expect(model.id).toBe(modelOfNames)
})

describe.each(['with a model', 'by words alone'] as const)('%s', (by) => {
  const snapshots = new Map<CatalogName, CatalogSnapshot>()
  const asked = async (of: CatalogName, query: string) => {
    const own = by === 'with a model' ? model : null
    if (!snapshots.has(of)) snapshots.set(of, await memorySnapshot(businessCatalogs[of], own))
    const { note, match, candidates } = await search(
      { snapshot: snapshots.get(of)!, model: own },
      { kind: 'tool', query },
    )
    const missing = /No indexed card is of "([^"]+)"/.exec(note)?.[1]
    return { missing, match, first: candidates[0]?.card.id }
  }

  test('systems that are not there are told in four of five requests that name one, and the match is no good one', async () => {
    const lines: string[] = []
    for (const [of, query, system] of missingRequests) {
      const { missing, match } = await asked(of, query)
      if (missing !== system) lines.push(`${query}: ${missing}`)
      else expect(match).not.toBe('good')
    }
    expect(missingRequests.length).toBeGreaterThanOrEqual(120)
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(by === 'with a model' ? 20 : 28)
  })

  test('places, people, files, ordinary words and systems that are there are none', async () => {
    const lines: string[] = []
    for (const [of, query] of servedRequests) {
      const { missing } = await asked(of, query)
      if (missing !== undefined) lines.push(`${query}: ${missing}`)
    }
    expect(servedRequests.length).toBeGreaterThanOrEqual(120)
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(2)
  })

  test.each([
    ['post a message to slack', 'chat-tools/slack_post_message'],
    ['send a message with telegram', 'chat-tools/telegram_send_message'],
    ['list the channels of Slack', 'chat-tools/slack_list_channels'],
  ])('a system by which the names of tools begin is one of the catalog: %s', async (query, first) => {
    expect(await asked('mixed', query)).toMatchObject({ missing: undefined, first })
  })
})

describe('where names may stand', () => {
  const placesOf = (request: string) =>
    namePlaces(requestWords(request), () => false, null).map(
      ({ text, signs }) => `${text}: ${signs.join(' ')}`,
    )

  test.each([
    ['file a jira ticket', 'jira: indefinite holder'],
    ['post a message to slack', 'slack: to end to-end'],
    ['erstelle ein Zendesk-Ticket', 'Zendesk: indefinite holder large large-holder'],
    ['send it via Google Drive', 'Google Drive: using end large using-end large-end several-words'],
    ['a meeting on 2024-05-01', undefined],
    ['post a message', undefined],
  ])('of %j', (request, expected) => {
    expect(placesOf(request)[0]).toBe(expected)
  })
})
