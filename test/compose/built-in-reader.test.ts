import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Audition, openAudition } from '../../src/compose/app.ts'
import { modelOf as openModel } from '../../src/compose/open-models.ts'
import { configFrom } from '../../src/config.ts'
import { readerFeatureNames } from '../../src/retrieval/rank/candidate-features.ts'
import { EmbeddingModelError } from '../../src/retrieval/rank/embedding-model-error.ts'
import type { SearchRequest } from '../../src/retrieval/answer.ts'
import { commit, storeFolder } from '../adapters/lancedb/stores.ts'
import { writeSmallReader } from '../adapters/reader-model/small-reader.ts'
import { modelFolder } from '../adapters/static-model/model-folder.ts'
import { folderWith, temporaryFolder } from '../catalog/temporary-folder.ts'
import { toolCard } from '../fakes/fake-audition.ts'
import { scatteredModel } from '../fakes/scattered-model.ts'
import { modelOf } from '../retrieval/arbitrary-trees.ts'

const feature = (name: (typeof readerFeatureNames)[number], threshold: number) => ({
  value: 0,
  feature: readerFeatureNames.indexOf(name),
  threshold,
  missing: 'left' as const,
  left: { value: -0.5 },
  right: { value: 0.5 },
})
const readingTrees = modelOf([feature('reading', 0.1), feature('cosine', 0.2)], readerFeatureNames)
const folderOfTwo = (): string => modelFolder({ reading: { reader: writeSmallReader, ranker: readingTrees } })

/** Audition by the model of a folder; closed after the test. */
function opened(model: string, home: string, environment: NodeJS.ProcessEnv = {}): Audition {
  const audition = openAudition({
    ...configFrom({ AUDITION_MODEL: `static:${model}`, AUDITION_HOME: home, ...environment }),
    cache: join(home, '..', 'cache'),
  })
  onTestFinished(() => audition.close())
  return audition
}

const tools = JSON.stringify(
  ['send_email', 'dispatch_letter', 'find_weather', 'read_file'].map((name) => ({
    type: 'function',
    function: { name, description: `Can ${name.replace('_', ' a ')}`, parameters: { type: 'object' } },
  })),
)
const indexed = async (audition: Audition) =>
  audition.index({ locations: [folderWith({ 'tools.json': tools })] })
const request: SearchRequest = { kind: 'tool', query: 'send an email' }

describe('a model with a reader', () => {
  test('ranks by what was read, and tells it; other rankers read nothing', async () => {
    const [folder, home] = [folderOfTwo(), storeFolder()]
    const audition = opened(folder, home)
    await indexed(audition)
    const found = await audition.search(request)
    expect(found).toMatchObject({
      ranker: 'reader',
      candidates: [{ signals: { reading: expect.any(Number) } }, {}, {}, {}],
    })
    expect(found.note ?? '').not.toContain('reader')
    expect(await audition.diagnose()).toMatchObject({
      storedModel: expect.stringMatching(/^static:small-1@[0-9a-f]{12}\+[0-9a-f]{12}$/),
    })
    rmSync(join(folder, 'reader', 'weights.safetensors'))
    const another = opened(folder, home)
    expect(await another.search({ ...request, ranker: 'learned' })).toMatchObject({ ranker: 'learned' })
    expect(await another.search({ ...request, ranker: 'lexical' })).toMatchObject({ ranker: 'lexical' })
    await expect(another.search(request)).rejects.toThrow(/weights\.safetensors cannot be read/)
    expect(await another.diagnose()).toMatchObject({
      modelFault: {
        message: expect.stringContaining('weights.safetensors'),
        remedy: expect.stringContaining('AUDITION_READER=none'),
      },
    })
  })

  test('ranks a list in memory without it, unless it is asked for', async () => {
    const audition = opened(folderOfTwo(), storeFolder())
    const cards = ['send_email', 'read_file'].map((name) => toolCard(`a/${name}`))
    expect(await audition.searchAmong(cards, request)).toMatchObject({ ranker: 'learned' })
    expect(await audition.searchAmong(cards, { ...request, ranker: 'reader' })).toMatchObject({
      ranker: 'reader',
    })
  })

  test('is the embedding alone when it is switched off, on a store that was read too', async () => {
    const [folder, home] = [folderOfTwo(), storeFolder()]
    await indexed(opened(folder, home))
    const audition = opened(folder, home, { AUDITION_READER: 'none' })
    const found = await audition.search(request)
    expect(found).toMatchObject({ ranker: 'learned', candidates: [{}, {}, {}, {}] })
    expect(found.note ?? '').not.toContain('reader')
    await expect(audition.search({ ...request, ranker: 'reader' })).rejects.toThrow(
      /needs a model with a reader/,
    )
  })

  test('searches a store that was not read by the embedding, and says so until the next index run', async () => {
    const [folder, home] = [folderOfTwo(), storeFolder()]
    await indexed(opened(folder, home, { AUDITION_READER: 'none' }))
    const audition = opened(folder, home)
    expect(await audition.search(request)).toMatchObject({
      ranker: 'learned',
      note: expect.stringContaining('Ranked without the reader'),
    })
    await audition.index({ locations: [] })
    const later = await opened(folder, home).search(request)
    expect(later.ranker).toBe('reader')
    expect(later.note ?? '').not.toContain('reader')
  })

  test('searches a store of the version before by words, and says so', async () => {
    const home = storeFolder()
    const before = scatteredModel({ id: 'static:small-0@0123456789ab' })
    await commit(home, { put: [toolCard('a/send_email')] }, { model: before })
    expect(await opened(folderOfTwo(), home).search(request)).toMatchObject({
      ranker: 'lexical',
      candidates: [{}],
      note: expect.stringContaining('Run `audition index`'),
    })
  })

  test('leaves a large catalog unread, and the index run and the diagnosis say so', async () => {
    const audition = opened(folderOfTwo(), storeFolder(), { AUDITION_READER_CARDS: '3' })
    const tooManyToRead = { kinds: ['tool'], mostCards: 3 }
    expect(await indexed(audition)).toMatchObject({ tools: 4, tooManyToRead })
    expect(await audition.diagnose()).toMatchObject({ tooManyToRead })
    expect(await audition.search(request)).toMatchObject({ ranker: 'learned' })
  })
})

describe('a damaged reader is refused with its file and a way out', () => {
  const refusalOf = async (folder: string): Promise<EmbeddingModelError> => {
    const config = { model: `static:${folder}`, cache: temporaryFolder(), reader: { mostCards: 9 } }
    const refusal: unknown = await openModel(config, fetch)
      .then((model) => model!.embed(['send'], 'query'))
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(EmbeddingModelError)
    return refusal as EmbeddingModelError
  }

  test.each(['model.json', 'weights.safetensors', 'vocabulary.txt'])(
    '%s is missing, or cut off',
    async (name) => {
      for (const harm of [(file: string) => rmSync(file), (file: string) => truncateSync(file, 40)]) {
        const folder = folderOfTwo()
        harm(join(folder, 'reader', name))
        const { message, remedy } = await refusalOf(folder)
        expect(message).toContain(join(folder, 'reader', name))
        expect(remedy).toContain('AUDITION_READER=none')
      }
    },
  )

  test('it is another one than the model was trained with', async () => {
    const folder = modelFolder({
      reading: { reader: writeSmallReader },
      card: (card) => ({ ...card, reader: { sha256: 'ab'.repeat(32) } }),
    })
    const { message, remedy } = await refusalOf(folder)
    expect(message).toContain('is the card of another reader')
    expect(remedy).toContain('AUDITION_READER=none')
  })

  test('the ranker over readings is of another kind, or changed', async () => {
    const changed = folderOfTwo()
    const file = join(changed, 'reading-ranker.bin')
    const bytes = readFileSync(file)
    bytes[bytes.length - 1]! ^= 1
    writeFileSync(file, bytes)
    expect((await refusalOf(changed)).message).toContain('reading-ranker.bin: the checksum')
    const plain = modelFolder({ reading: { reader: writeSmallReader, ranker: modelOf([], ['cosine']) } })
    expect((await refusalOf(plain)).message).toContain('reading-ranker.bin')
  })
})
