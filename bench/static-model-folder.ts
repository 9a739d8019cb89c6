import { modelOf } from '../src/compose/open-models.ts'
import { configFrom } from '../src/config.ts'
import type { EmbeddingModel } from '../src/retrieval/ports.ts'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { builtInModel } from '../src/compose/open-models.ts'

const configured = process.env.AUDITION_MODEL

/** The folder of the model that is measured: the one `AUDITION_MODEL=static:<folder>` names, else the built-in one. */
export const modelFolder = configured?.startsWith('static:')
  ? resolve(configured.slice('static:'.length))
  : builtInModel

/** Without one the benches leave out what needs it. */
export const hasModel = existsSync(join(modelFolder, 'model.json'))

/** Whether the model has a reader that is not switched off. */
export const hasReader =
  hasModel && existsSync(join(modelFolder, 'reader')) && configFrom(process.env).reader !== null

export const noModel = `skipped: no model in ${modelFolder}; hybrid and learned search, and the embedding, are not measured`

/** The whole model, with its reader unless `AUDITION_READER` is none; null where the repository holds none. */
export async function shippedModel(): Promise<EmbeddingModel | null> {
  const { cache, reader } = configFrom(process.env)
  return hasModel ? modelOf({ model: `static:${modelFolder}`, cache, reader }, fetch) : null
}
