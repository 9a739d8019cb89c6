import { type LaunchPart, shortened, textPart } from '../../../trust/launches/bound-launch.ts'
import type { JsonObject } from '../../../domain/json.ts'
import { maskSecrets } from '../../../domain/text/secrets.ts'

/** What an agent is told to do and how its model is set, as its file says it: both decide what a run does. */
export function agentParts({
  instructions,
  policy,
}: {
  readonly instructions: string
  readonly policy: JsonObject
}): readonly LaunchPart[] {
  const settings = JSON.stringify(Object.entries(policy).sort(([a], [b]) => (a < b ? -1 : 1)))
  return [
    ...(Object.keys(policy).length === 0
      ? []
      : [{ name: 'policy', exact: settings, shown: shortened(maskSecrets(JSON.stringify(policy))) }]),
    ...(instructions === '' ? [] : [textPart('instructions', instructions)]),
  ]
}
