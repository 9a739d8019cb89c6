const positive = /^(relevant|yes|true|positive|match|entailment|1)$/i

/**
 * Which of two labels means "relevant": the one its name says so of, else the second, as is the custom.
 *
 * @param config - the model's; labels stand in `id2label`
 */
export function relevantLabel(config: object): 0 | 1 {
  const labels = 'id2label' in config ? config.id2label : undefined
  if (typeof labels !== 'object' || labels === null) return 1
  const [first = '', second = ''] = ['0', '1'].map((id) => String(Reflect.get(labels, id) ?? ''))
  return positive.test(first) && !positive.test(second) ? 0 : 1
}
