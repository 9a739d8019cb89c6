import type { TrainingRecipe } from './recipe.ts'

/**
 * The rate of a step: rises over the first steps, then falls in a straight line.
 *
 * @param step - counted from 0
 * @param steps - of the whole training
 */
export function learningRateAt(
  step: number,
  steps: number,
  { learningRate, warmUp, lastRate }: Pick<TrainingRecipe, 'learningRate' | 'warmUp' | 'lastRate'>,
): number {
  const rising = warmUp === 0 ? 1 : Math.min(1, (step + 1) / (warmUp * steps))
  return learningRate * rising * Math.max(lastRate, 1 - step / steps)
}
