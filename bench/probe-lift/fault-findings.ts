import { type Outcome, successGrade } from '../../src/domain/outcome.ts'
import type { FaultFinding } from './report.ts'
import { sound, type Variant } from './variants/variants.ts'

/** How many variants of each fault had a probe that failed, the sound ones first, then by name. */
export function faultFindings(
  variants: readonly Variant[],
  outcomes: ReadonlyMap<string, readonly Outcome[]>,
  probes: readonly number[],
): readonly FaultFinding[] {
  const probed = variants.filter(({ id }) => outcomes.has(id))
  const others = [...new Set(probed.map(({ fault }) => fault))].filter((fault) => fault !== sound).sort()
  return [sound, ...others].map((fault) => {
    const those = probed.filter((variant) => variant.fault === fault)
    return {
      fault,
      variants: those.length,
      found: probes.map((count) => ({
        probes: count,
        variants: those.filter(({ id }) => outcomes.get(id)!.slice(0, count).some(hasFailed)).length,
      })),
    }
  })
}

/** An answer that nobody could grade is no failure. */
const hasFailed = ({ ending, verdict }: Outcome): boolean =>
  ending !== 'answered' || (verdict !== null && 'grade' in verdict && verdict.grade < successGrade)
