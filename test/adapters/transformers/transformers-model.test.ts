import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { transformersOptions } from '../../../src/adapters/transformers/options.ts'
import { transformersModel } from '../../../src/adapters/transformers/transformers-model.ts'
import { keepsTheEmbeddingModelContract } from '../../contracts/embedding-model.ts'
import { compiledTransformersWorker } from '../../fixtures/compiled-transformers-worker.ts'
import { writeTinyBert } from '../../fixtures/onnx/tiny-bert.ts'
let folder: string
let worker: Awaited<ReturnType<typeof compiledTransformersWorker>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audition-tiny-'))
  worker = await compiledTransformersWorker()
  await writeTinyBert(join(folder, 'tiny'))
})
afterAll(async () => {
  await worker.remove()
  await rm(folder, { recursive: true })
})
describe('x', () =>
  keepsTheEmbeddingModelContract(() =>
    transformersModel(
      transformersOptions({ model: join(folder, 'tiny') }, { cacheDir: join(folder, 'cache') }),
      { workerEntry: worker.entry },
    ),
  ))
