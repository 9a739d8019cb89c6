import { InputError } from '../../../servers/shared/input-error.ts'

/**
 * Runs a command agent: JSON `{"task": "..."}` on stdin, the answer on stdout. What it cannot read goes to stderr with
 * exit code 1; anything else that throws is a fault of the program and shows as such.
 */
export async function runAgent(answer: (task: string) => string): Promise<void> {
  try {
    console.log(answer(taskIn(await standardInput())))
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function taskIn(input: string): string {
  try {
    const { task } = JSON.parse(input) as { readonly task?: unknown }
    if (typeof task === 'string' && task.trim() !== '') return task
  } catch (cause) {
    throw new InputError(`stdin is no JSON. Send {"task": "..."}, for example on one line.`, { cause })
  }
  throw new InputError('stdin has no "task". Send {"task": "what you want to know"}.')
}
