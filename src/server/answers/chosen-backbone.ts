import type { Audition } from '../../compose/audition.ts'
import type { Card } from '../../domain/card.ts'
import { blendedPrice } from '../../domain/model-card.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { oneLine } from '../text.ts'
import { rounded } from './why.ts'

/** Of several models that can be called, which one an agent without a backbone should run on, and why; empty where nothing tells. */
export async function chosenBackbone(
  app: Pick<Audition, 'models'>,
  candidates: readonly { readonly card: Card }[],
  task: string,
): Promise<string> {
  const isFree = ({ card }: { readonly card: Card }): boolean =>
    card.kind === 'agent' && card.backbone === null && card.agentKind === 'profile'
  if (!candidates.some(isFree)) return ''
  // A search does not fail for what can be said besides.
  const { models } = await app.models({ task, among: 'callable' }).catch((error: unknown) => {
    if (RemedyError.isInstance(error)) return { models: [] }
    throw error
  })
  const [best] = models
  if (best === undefined || models.length < 2 || best.outcomes === 0) return ''
  const { estimate, outcomes, price } = best
  const cost = price === undefined ? '' : `, $${rounded(blendedPrice(price), 2)} per million tokens`
  return `Without a backbone: run it on ${oneLine(best.id, 80)} (success ${rounded(estimate, 2)}, ${countOf(outcomes, 'task')}${cost}).`
}
