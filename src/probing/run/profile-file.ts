import { isAbsolute } from 'node:path'
import type { SourceDocument } from '../../catalog/ports.ts'
import { type Profile, profileSchema } from '../../catalog/formats/capability-profile.ts'
import { profileYaml } from '../../catalog/readers/profile-yaml.ts'
import { DocumentError, openDocument } from '../../catalog/source-document.ts'
import type { Card } from '../../domain/card.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'
import { RuntimeError, type Task } from '../ports.ts'
import type { NotRun } from './probe-report.ts'

const indexAgain = 'Run `audition index` on its source again.'

/**
 * The file that a card is run from. What came from the network is never started: whoever wrote it would choose what happens
 * here.
 *
 * @throws RuntimeError when the file is an address or no absolute path
 */
export function fileOfCard({ id, runtime }: Card): string {
  const file = runtime !== undefined && 'file' in runtime ? runtime.file : ''
  if (/^[a-z][a-z\d+.-]+:/i.test(file)) {
    throw new RuntimeError(
      `${id} comes from ${maskSecrets(file)}, and nothing from the network is started`,
      'Download the file, check it, and index it.',
    )
  }
  if (isAbsolute(file) && !/[\r\n\0]/.test(file)) return file
  throw new RuntimeError(`${id}: its file "${file}" is no absolute path`, indexAgain)
}

/**
 * The text of a file that a card is run from.
 *
 * @throws RuntimeError when it is gone or no text
 */
export function documentOfCard(file: string): SourceDocument {
  try {
    return openDocument(file)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { message } = error.problem
    throw new RuntimeError(`${file} ${message}`, 'Restore the file, or run `audition index` again.', {
      cause: error,
    })
  }
}

/**
 * The capability profile of a card, as its file stands now.
 *
 * @throws RuntimeError when the file is gone, holds no profile any more, or another agent
 */
export function profileOfCard(card: Card): { readonly file: string; readonly profile: Profile } {
  const file = fileOfCard(card)
  const document = documentOfCard(file)
  const problem = profileYaml.read(document).problems.find(({ severity }) => severity === 'error')
  if (problem !== undefined) throw new RuntimeError(`${file}: ${problem.message}`, problem.remedy)
  const profile = profileSchema.parse(document.yaml())
  if (profile.name === card.name) return { file, profile }
  throw new RuntimeError(`${file} holds the agent "${profile.name}" now, not "${card.name}"`, indexAgain)
}

/** What of some tasks a card can be asked, and why it is not run when that is none. */
export function askableTasks(
  card: Card,
  tasks: readonly Task[],
): { readonly tasks: readonly Task[]; readonly notRun: NotRun | null } {
  const askable = card.kind === 'tool' ? tasks.filter(isCallOf(card.parameters)) : tasks
  if (askable.length > 0) return { tasks: askable, notRun: null }
  return { tasks: [], notRun: tasks.length > 0 ? noArguments : noTask(card) }
}

/** A tool is called with arguments: what has none, where some are required, is no task for it. */
const isCallOf =
  (parameters: readonly { readonly required: boolean }[]) =>
  (task: Task): boolean =>
    task.arguments !== undefined || !parameters.some(({ required }) => required)

const noArguments: NotRun = {
  kind: 'arguments',
  message: 'it is a tool, which is called with arguments, and the task has none',
  remedy: 'Give the task "arguments" that fit the input schema; `describe` shows it.',
}

const noTask = (card: Card): NotRun => ({
  kind: 'no-task',
  message: 'it brings no task to be tried with',
  remedy: card.kind === 'tool' ? 'Give a task, and the arguments of a call.' : 'Give a task.',
})
