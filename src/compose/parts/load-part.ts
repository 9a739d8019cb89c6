import { RemedyError } from '../../domain/remedy-error.ts'
import type { DatasetRecipe } from '../../evaluation/datasets/dataset.ts'
import type { Trainer } from './trainer.ts'

/** A part of Audition that is a package of its own. */
export type PartName = 'audition-trainer' | 'audition-benchmarks'

/** The parts by name; each exports what its type says. */
type Parts = {
  readonly 'audition-trainer': Trainer
  readonly 'audition-benchmarks': { readonly recipes: readonly DatasetRecipe[] }
}

const what: { readonly [name in PartName]: string } = {
  'audition-trainer': 'The trainer',
  'audition-benchmarks': 'The reader of published benchmarks',
}

/** A part of Audition is asked for that is not installed. */
export class MissingPartError extends RemedyError {
  override readonly name = 'MissingPartError'
  constructor(part: PartName, version: string, options?: ErrorOptions) {
    super(
      `${what[part]} is a package of its own, and not installed.`,
      `Add it: npm install --global ${part}@${version} (or without --global, beside a local audition-mcp).`,
      options,
    )
  }
}

/**
 * Loads a part when it is first asked for.
 *
 * @param version - of this package: parts are published together
 * @throws MissingPartError when it is not installed
 */
export async function loadPart<Name extends PartName>(name: Name, version: string): Promise<Parts[Name]> {
  try {
    // Not a literal: the compiler would look for the part, which is built after this package.
    return (await import(name as string)) as Parts[Name]
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' && String(error).includes(name)
    if (!isMissing) throw error
    throw new MissingPartError(name, version, { cause: error })
  }
}
