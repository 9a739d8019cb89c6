import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Task } from '../ports.ts'
import type { Random } from './random.ts'

/** A task for a tool, its arguments, and what a right answer holds. */
export type KnownTask = Task & Required<Pick<Task, 'arguments' | 'reference'>>

/** Makes tasks for tools of one contract whose answers are known without asking any of them; by the tool's name. */
export type AnswerKeys = ReadonlyMap<string, { readonly draw: (random: Random) => KnownTask }>

/**
 * The known answers of the bundled tools, read once in a process.
 *
 * @param compiled - absolute folder of the compiled catalog, which holds them
 */
export async function answerKeysIn(compiled: string): Promise<AnswerKeys> {
  const file = pathToFileURL(join(compiled, 'answer-keys', 'answer-keys.js')).href
  const { answerKeys } = (await import(file)) as { readonly answerKeys: AnswerKeys }
  return answerKeys
}
