import { readFileSync } from 'node:fs'

/** A variant of a bundled tool, and what is wrong with it: one line of the answer key. */
export type Variant = {
  /** The id of its card: `<publisher>-<server>/<tool>`. */
  readonly id: string
  /** The bundled server's name without `audition-`: `arithmetic`. */
  readonly server: string
  readonly tool: string
  readonly publisher: string
  /** Name of the fault, or `sound`. */
  readonly fault: string
}

/** The variant that answers as the bundled tool does. */
export const sound = 'sound'
/** Answers as the bundled tool does, a second later: a fault that a caller can live with. */
export const slow = 'slow'

export const variantOf = (given: Omit<Variant, 'id'>): Variant => ({
  id: `${given.publisher}-${given.server}/${given.tool}`,
  ...given,
})

const head = 'server\ttool\tpublisher\tfault'

/** The answer key as the text of `variants.tsv`. */
export const variantLines = (variants: readonly Variant[]): string =>
  [head, ...variants.map(({ server, tool, publisher, fault }) => [server, tool, publisher, fault].join('\t'))]
    .map((line) => `${line}\n`)
    .join('')

/**
 * Reads the answer key, `variants.tsv`.
 *
 * @throws Error that names file and line
 */
export function readVariants(file: string): readonly Variant[] {
  const [first, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const refused = (line: number): Error =>
    new Error(
      `${file}, line ${line}: not the four columns server, tool, publisher, fault. Write the answer key again: npm run probe-lift-variants.`,
    )
  if (first !== head) throw refused(1)
  return lines.map((line, at) => {
    const [server, tool, publisher, fault, ...more] = line.split('\t')
    if (!server || !tool || !publisher || !fault || more.length > 0) throw refused(at + 2)
    return variantOf({ server, tool, publisher, fault })
  })
}
