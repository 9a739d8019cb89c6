import { known, type AnswerKey } from './answer-key.ts'
import { plainWords } from './words.ts'

/** JSON documents. */
export const jsonKeys: readonly AnswerKey[] = [
  {
    tool: 'validate_json',
    draw(random) {
      const size = random.whole(1, 6)
      const fields = random.some(plainWords, size).map((word) => `"${word}": ${random.whole(0, 99)}`)
      if (random.whole(0, 1) === 0) {
        const json = `{${fields.join(', ')}}`
        return known(`Is this valid JSON? ${json}`, { json }, { valid: true, type: 'object', size })
      }
      const broken = random.whole(1, size)
      const json = [
        '{',
        ...fields.map(
          (field, index) =>
            `  ${index + 1 === broken ? field.replace(': ', ' = ') : field}${index + 1 < size ? ',' : ''}`,
        ),
        '}',
      ].join('\n')
      return known(
        `Is this valid JSON, and if not, in which line does it break?\n${json}`,
        { json },
        { valid: false, line: broken + 1 },
      )
    },
  },
  {
    tool: 'query_json',
    draw(random) {
      const orders = Array.from({ length: random.whole(1, 5) }, () => ({
        item: random.pick(plainWords),
        total: random.whole(1, 999),
      }))
      const at = random.whole(0, orders.length - 1)
      const field = random.pick(['item', 'total'] as const)
      const json = JSON.stringify({ orders })
      const value = orders[at]![field]
      return known(
        `What stands at /orders/${at}/${field} of ${json}?`,
        { json, pointer: `/orders/${at}/${field}` },
        { value, type: typeof value },
      )
    },
  },
  {
    tool: 'merge_json',
    draw(random) {
      const [kept, changed, removed, added] = random.shuffled(plainWords) as readonly [
        string,
        string,
        string,
        string,
      ]
      const [old, fresh] = [random.whole(0, 99), random.whole(100, 199)]
      const json = JSON.stringify({ [kept]: old, [changed]: { inner: old, other: true }, [removed]: 'x' })
      const patch = JSON.stringify({ [changed]: { inner: fresh }, [removed]: null, [added]: [fresh] })
      const merged = { [kept]: old, [changed]: { inner: fresh, other: true }, [added]: [fresh] }
      return known(
        `Lay the patch ${patch} over ${json}.`,
        { json, patch },
        { json: JSON.stringify(merged, null, 2) },
      )
    },
  },
]
