import type { Grades } from '../../src/domain/ranking.ts'
import { bundled } from '../../src/evaluation/datasets/bundled.ts'
import { slow, sound, type Variant } from './variants/variants.ts'

/** A request in everyday words for one bundled tool, judged over the variants. */
export type LiftQuery = { readonly id: string; readonly text: string; readonly grades: Grades }

/** Requests that need exactly one tool: the record of that tool decides, nothing else. */
const group = 'single-tool'
/** The grade that the bundled set gives to a tool that does the job. */
const serves = 2
/** Of a variant: right answers count 2, right and late ones 1, all others nothing. */
const gradeOf = ({ fault }: Variant): number => (fault === sound ? 2 : fault === slow ? 1 : 0)

/**
 * The single-tool requests of the bundled set. A variant is relevant when its tool does the job and the variant is sound
 * (grade 2) or slow (grade 1); tools that merely help are not.
 *
 * @param folder - `evals/bundled`
 * @returns those that some variant serves
 */
export async function liftQueries(
  folder: string,
  variants: readonly Variant[],
): Promise<readonly LiftQuery[]> {
  const { parts } = await bundled.read(folder, ['bundled-tools'])
  return parts
    .flatMap(({ queries }) => queries)
    .filter((query) => query.group === group)
    .flatMap(({ id, text, grades }) => {
      const judged = variants
        .filter(({ server, tool }) => (grades.get(`audition-${server}/${tool}`) ?? 0) >= serves)
        .map((variant) => [variant.id, gradeOf(variant)] as const)
      return judged.length === 0 ? [] : [{ id, text, grades: new Map(judged) }]
    })
}
