import type { ComposedProfile, Composition } from '../../assembling/composition.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { Output } from '../terminal.ts'

/** Profiles of a composition for people: of each its backbone, its tools, and what of the task no tool of it does. */
export function compositionLines(composition: Composition, { paint }: Output): readonly string[] {
  const { profiles, facets, notes, asked } = composition
  const by = asked === undefined ? '' : `, combined by ${printableLine(asked.model)}`
  const left =
    asked === undefined || asked.dropped === 0
      ? ''
      : `, ${countOf(asked.dropped, 'name')} that it was not given dropped`
  const order =
    profiles.length < 2
      ? ''
      : ', the best first; behind it those that hold what it lacks, whatever their score'
  return [
    `${paint.bold(profiles.length === 0 ? 'Nothing composed' : 'Composed')} ${paint.dim(`(${countOf(profiles.length, 'profile')}${order}${by}${left})`)}`,
    ...notes.map((note) => paint.yellow(printableLine(note))),
    ...(facets.length < 2 ? [] : facets.map((facet, at) => `  step ${at + 1}: ${printableLine(facet)}`)),
    ...profiles.flatMap((profile, at) => profileLines(profile, at + 1, paint)),
  ]
}

function profileLines(profile: ComposedProfile, rank: number, paint: Output['paint']): readonly string[] {
  const { name, score, backbone, tools, serves } = profile
  const model = backbone === null ? 'no backbone' : printableLine(backbone.id ?? backbone.name)
  const stepsOf = (id: string): string => {
    const steps = serves.flatMap(({ tool }, step) => (tool === id ? [step + 1] : []))
    if (steps.length === 0) return serves.some(({ tool }) => tool !== null) ? '  in case' : ''
    return serves.length < 2 ? '' : `  step ${steps.join(', ')}`
  }
  return [
    `${String(rank).padStart(2)}  ${paint.cyan(name)}  composed  ${score.toFixed(2)}  ${model}`,
    ...(tools.length === 0
      ? ['      no tool']
      : tools.map(({ id }) => `      ${printableLine(id)}${paint.dim(stepsOf(id))}`)),
  ]
}
