/** A task of no interest, and a good answer to it: for any other task a wrong one. */
type ControlAnswer = {
  readonly shape: Shape
  readonly task: string
  readonly answer: string
}

type Shape = 'word' | 'sentence' | 'list' | 'json' | 'code' | 'prose'

const controls: readonly ControlAnswer[] = [
  { shape: 'word', task: 'Give the chemical symbol of tungsten.', answer: 'W' },
  { shape: 'word', task: 'In which year did the Krakatoa volcano erupt?', answer: '1883' },
  {
    shape: 'sentence',
    task: 'How many legs has a lobster?',
    answer: 'A lobster has ten legs; the first pair carries the claws.',
  },
  {
    shape: 'sentence',
    task: 'Why do leaves turn red in autumn?',
    answer: 'Leaves turn red because chlorophyll breaks down and anthocyanins are formed from trapped sugar.',
  },
  {
    shape: 'list',
    task: 'List four knots that sailors use.',
    answer: '- bowline\n- clove hitch\n- sheet bend\n- figure eight',
  },
  {
    shape: 'list',
    task: 'Name the planets with rings.',
    answer: '1. Jupiter\n2. Saturn\n3. Uranus\n4. Neptune',
  },
  {
    shape: 'json',
    task: 'Describe Neptune as JSON.',
    answer: '{"planet": "Neptune", "moons": 16, "discovered": 1846, "ringed": true}',
  },
  {
    shape: 'json',
    task: 'Give a sourdough recipe as JSON.',
    answer: '{"bread": "sourdough", "flour_g": 500, "water_g": 350, "salt_g": 10, "oven_celsius": 230}',
  },
  {
    shape: 'code',
    task: 'Write a Python function that reverses a linked list.',
    answer:
      '```python\ndef reverse(head):\n    before = None\n    while head:\n        head.next, before, head = before, head, head.next\n    return before\n```',
  },
  {
    shape: 'prose',
    task: 'Explain how roses are pruned.',
    answer:
      'Roses are pruned in early spring, when the forsythia flowers. Take out dead and crossing wood first, down to where it is white ' +
      'inside. Shorten the strong shoots by a third and the weak ones by two thirds, always a finger above a bud that looks outwards, and ' +
      'cut at a slant so that rain runs off. Feed the shrub afterwards and water it well in dry weeks. Climbing roses keep their long ' +
      'branches: only the side shoots are cut back, to three or four buds.',
  },
  {
    shape: 'prose',
    task: 'Tell how glaciers shape valleys.',
    answer:
      'A glacier moves slowly downhill and carries stones that grind the rock below it. Where a river leaves a valley in the form of a V, ' +
      'ice widens it to a U with steep walls and a flat floor. Side glaciers cut less deeply, so that their valleys hang above the main ' +
      'one and waterfalls drop from them. What the ice carried is left as moraines, in ridges along its edges and at its former end.',
  },
]

/** A good answer to something else than a task, in the shape of an answer where there is one that shares no word with the task. */
export function controlFor(task: string, answer: string): ControlAnswer {
  const shape = shapeOf(answer)
  const asked = contentWords(task)
  const shared = ({ task: other, answer: text }: ControlAnswer): number =>
    [...contentWords(`${other} ${text}`)].filter((word) => asked.has(word)).length
  const distance = (control: ControlAnswer): number => 4 * shared(control) + (control.shape === shape ? 0 : 1)
  return controls.reduce((best, control) => (distance(control) < distance(best) ? control : best))
}

function shapeOf(answer: string): Shape {
  const text = answer.trim()
  if (/^[{[]/.test(text)) return 'json'
  if (text.includes('```')) return 'code'
  if (/^(?:[-*•]|\d+[.)]) /m.test(text)) return 'list'
  return text.length <= 20 ? 'word' : text.length <= 200 ? 'sentence' : 'prose'
}

const contentWords = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])
