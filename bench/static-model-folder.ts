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

export const noModel = `skipped: no model in ${modelFolder}; hybrid and learned search, and the embedding, are not measured`
