import type { Judge, Reference } from '../ports.ts'
import { exact } from './exact.ts'
import { jsonPath } from './json-path.ts'
import { jsonSchema } from './json-schema.ts'
import { number } from './number.ts'
import { pattern } from './pattern.ts'
import type { Finding, Judged, ReferenceCheck } from './reference-check.ts'
import { set } from './set.ts'
import { statesCheck } from './states.ts'

const checks: { readonly [Kind in Reference['kind']]: ReferenceCheck<Kind> } = {
  exact,
  states: statesCheck,
  number,
  pattern,
  'json-schema': jsonSchema,
  'json-path': jsonPath,
  set,
}

/** What judges by a task's reference are called in verdicts. */
const referenceJudgeName = 'reference'

/**
 * Grades an answer by the task's reference: the same answer always gets the same grade, at no cost. It refuses when the task has no
 * reference, or one that cannot be used; the refusal says why.
 */
export function referenceJudge(): Judge {
  return {
    name: referenceJudgeName,
    async judge({ reference, text: task }, { answer, structured }) {
      if (reference === undefined) return { refusal: 'The task has no reference.', judge: referenceJudgeName }
      const text = answer.trim() !== '' || structured === undefined ? answer : JSON.stringify(structured)
      return { ...findingOf(reference, { text, structured, task }), judge: referenceJudgeName }
    },
  }
}

function findingOf(reference: Reference, answer: Judged): Finding {
  if (answer.text.trim() === '') return { grade: 1, reason: 'The answer is empty.' }
  const check = checks[reference.kind] as ReferenceCheck<Reference['kind']> | undefined
  return (
    check?.(reference as never, answer) ?? {
      refusal: `A reference of kind "${String(reference.kind)}" is not known. Send one of ${Object.keys(checks).join(', ')}.`,
    }
  )
}
