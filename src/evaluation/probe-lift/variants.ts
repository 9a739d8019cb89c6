import { DatasetError } from '../dataset.ts'
import { openFile } from '../datasets/files.ts'

/** A variant of a bundled tool, and what is wrong with it. */
export type Variant = {
  /** The id of its card: `<publisher>-<server>/<tool>`. */
  readonly id: string
  /** The bundled server's name without `audition-`: `arithmetic`. */
  readonly server: string
  readonly tool: string
  /** Name of the fault, or `sound`. */
  readonly fault: string
}

/** The variant that answers as the bundled tool does. */
export const sound = 'sound'
/** Answers as the bundled tool does, a second later: a fault that a caller can live with. */
export const slow = 'slow'

/**
 * Reads the answer key, `variants.tsv`.
 *
 * @throws DatasetError that names file and line
 */
export function readVariants(file: string): readonly Variant[] {
  const [head, ...lines] = openFile(file).text.trimEnd().split('\n')
  const refuse = (line: number): never => {
    throw new DatasetError(
      `${file}, line ${line}: not the four columns server, tool, publisher, fault.`,
      'Write the answer key again: npm run probe-lift-variants.',
    )
  }
  if (head !== 'server\ttool\tpublisher\tfault') refuse(1)
  return lines.map((line, at) => {
    const [server, tool, publisher, fault, ...more] = line.split('\t')
    if (!server || !tool || !publisher || !fault || more.length > 0) return refuse(at + 2)
    return { id: `${publisher}-${server}/${tool}`, server, tool, fault }
  })
}
