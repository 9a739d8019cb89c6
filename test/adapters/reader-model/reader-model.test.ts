import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { cardText } from '../../../src/adapters/reader-model/model-of-parts.ts'
import { openReader } from '../../../src/adapters/reader-model/open-reader.ts'
import { readerModel } from '../../../src/adapters/reader-model/with-reader.ts'
import { modelOf } from '../../../src/compose/open-models.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { keepsTheEmbeddingModelContract } from '../../contracts/embedding-model.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { smallCatalog } from '../../retrieval/small-catalog.ts'
import { smallReader, writeSmallReader } from './small-reader.ts'

describe('the model of a reader', () => {
  const folder = mkdtempSync(join(tmpdir(), 'audition-'))
  writeSmallReader(folder)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  keepsTheEmbeddingModelContract(() => readerModel(folder))
})

describe('a model of a reader', () => {
  test('is named after the reader and its weights', async () => {
    const folder = smallReader()
    const { name, sha256, dimensions } = openReader(folder)
    expect(await readerModel(folder)).toMatchObject({
      id: `reader:${name}@${sha256.slice(0, 12)}`,
      dimensions,
    })
  })

  test('is what AUDITION_MODEL=reader:<folder> opens', async () => {
    const folder = smallReader()
    const model = await modelOf({ model: `reader:${folder}`, cache: folder, reader: null }, fetch)
    expect(model!.id).toBe((await readerModel(folder)).id)
  })

  test('reads queries up to their limit and cards up to theirs', async () => {
    const folder = smallReader()
    const [model, reader] = [await readerModel(folder), openReader(folder)]
    const long = 'read the file '.repeat(20)
    const [query] = await model.embed([long], 'query')
    const [document] = await model.embed([long], 'document')
    expect(query).toEqual(reader.encodeQuery('read the file '.repeat(8)))
    expect(document).toEqual(reader.encodeCards(['read the file '.repeat(14)])[0])
    expect(query).not.toEqual(document)
  })

  test('reads of a card its text, many as one by one', async () => {
    const folder = smallReader()
    const [model, reader] = [await readerModel(folder), openReader(folder)]
    const cards = Array.from({ length: 150 }, (_, at) => toolCard(`a/read_file${at}`))
    expect(await model.embedCards!(cards)).toEqual(
      cards.map((card) => reader.encodeCards([cardText(card)])[0]),
    )
  })

  test('ranks a catalog by meaning, and together with words', async () => {
    const model = await readerModel(smallReader())
    const context = { snapshot: await memorySnapshot(smallCatalog, model), model }
    for (const ranker of ['dense', 'hybrid'] as const)
      expect((await search(context, { kind: 'tool', query: 'send email', ranker })).ranker).toBe(ranker)
  })

  test('can be called off between two groups of texts', async () => {
    const model = await readerModel(smallReader())
    const stop = new AbortController()
    const embedding = model.embed(Array(200).fill('read the file'), 'document', stop.signal)
    stop.abort(new Error('enough'))
    await expect(embedding).rejects.toThrow('enough')
  })
})

describe('the text of a card', () => {
  const parameter = (name: string) => ({ name, description: '', type: 'string', required: false }) as const
  test.each([
    {
      why: 'a tool tells its parameters',
      card: toolCard('a/x', {
        name: 'getUserById',
        description: 'Gets a user.',
        parameters: [parameter('userId'), parameter('with_groups')],
      }),
      text: 'get User By Id: Gets a user. (user Id, with groups)',
    },
    {
      why: 'properties of parameters are not told',
      card: toolCard('a/x', { name: 'x', description: 'y', parameters: [parameter('a'), parameter('a.b')] }),
      text: 'x: y (a)',
    },
    {
      why: 'eight parameters at most',
      card: toolCard('a/x', {
        name: 'x',
        description: 'y',
        parameters: Array.from({ length: 9 }, (_, at) => parameter(`p${at}`)),
      }),
      text: 'x: y (p0, p1, p2, p3, p4, p5, p6, p7)',
    },
    {
      why: 'the server stands before a name that does not say it',
      card: toolCard('a/x', { name: 'list-issues', server: 'git_hub', description: 'All.' }),
      text: 'git hub: list issues: All.',
    },
    {
      why: 'and not before one that does',
      card: toolCard('a/x', { name: 'GitHub.listIssues', server: 'git-hub', description: 'All.' }),
      text: 'Git Hub list Issues: All.',
    },
    {
      why: 'capitals stand apart',
      card: toolCard('a/x', { name: 'parseHTTPServer2Go', description: '' }),
      text: 'parse HTTP Server2 Go: ',
    },
    {
      why: 'of a long description the beginning',
      card: toolCard('a/x', { name: 'x', description: `a  b\n${'c'.repeat(500)}` }),
      text: `x: a b ${'c'.repeat(415)}`,
    },
    {
      why: 'an agent tells its tools',
      card: agentCard('b/y', {
        name: 'lease-reviewer',
        description: 'Reviews leases.',
        tools: [{ name: 'read_pdf' }, { name: 'webSearch' }],
      }),
      text: 'lease reviewer: Reviews leases. (read pdf, web Search)',
    },
    {
      why: 'and where it has no description, its instructions',
      card: agentCard('b/y', { name: 'poet', description: '', instructions: 'Write in rhymes.', tools: [] }),
      text: 'poet: Write in rhymes.',
    },
  ])('$why', ({ card, text }) => {
    expect(cardText(card)).toBe(text)
  })
})
