import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AnswerKeys } from '../../probing/writing/tasks-of-card.ts'

/*
 * Right answers lie with the bundled catalog, apart from `src`. Who makes tasks of them is handed them from here, and knows no place where
 * they lie.
 */

/**
 * The known answers of the bundled tools, read once in a process.
 *
 * @param compiled - absolute folder of the compiled catalog, which holds them
 */
export async function answerKeysIn(compiled: string): Promise<AnswerKeys> {
  const { answerKeys } = await moduleIn<{ readonly answerKeys: AnswerKeys }>(
    compiled,
    'answer-keys/answer-keys.js',
  )
  return answerKeys
}

/**
 * The pairs of the demonstration, each with its tasks and their right answers; as they lie there.
 *
 * @param compiled - absolute folder of the compiled catalog, which holds them
 */
export async function demoPairsIn(compiled: string): Promise<unknown> {
  const { demoPairs } = await moduleIn<{ readonly demoPairs: unknown }>(compiled, 'demo/pairs.js')
  return demoPairs
}

const moduleIn = <Module>(compiled: string, file: string): Promise<Module> =>
  import(pathToFileURL(join(compiled, file)).href)
