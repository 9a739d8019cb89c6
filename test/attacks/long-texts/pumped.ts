import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Most repetitions that are as good as none: a bound above it is tried like no bound. */
const few = 30

/**
 * Pieces of text that make a pattern work the harder the more often they are repeated: for each repetition in it what leads there and
 * one round of it, and that round alone.
 */
export function pumps(regex: RegExp): readonly Pump[] {
  const { pattern } = new RegExpParser().parseLiteral(String(regex))
  const found = new Map<string, Pump>()
  const add = (lead: string, round: string): void => {
    if (round !== '') found.set(`${lead} ${round}`, { lead, round })
  }
  const walk = (alternatives: readonly AST.Alternative[], before: string): void => {
    for (const { elements } of alternatives) {
      let lead = before
      for (const element of elements) {
        if (element.type === 'Quantifier' && element.max > few) {
          const round = sampleOf(element.element)
          add('', lead + round)
          add('', `${lead}${round}${round}${round}`)
          add(lead, round)
        }
        const inner = element.type === 'Quantifier' ? element.element : element
        if ('alternatives' in inner) walk(inner.alternatives, lead)
        lead += sampleOf(element)
      }
      add('', lead)
    }
  }
  walk(pattern.alternatives, '')
  return [...found.values()]
}

export type Pump = { readonly lead: string; readonly round: string }

/** A text that an element matches, for most elements; looking around is passed over. */
function sampleOf(element: AST.Element | AST.QuantifiableElement): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value)
    case 'CharacterSet':
      return sampleOfSet(element)
    case 'CharacterClass':
      return element.negate
        ? outside(element)
        : (element.elements.map(sampleOfMember).find((one) => one !== '') ?? '')
    case 'Quantifier':
      return sampleOf(element.element).repeat(Math.min(Math.max(element.min, 1), 200))
    case 'Group':
    case 'CapturingGroup':
      return (element.alternatives[0]?.elements ?? []).map(sampleOf).join('')
    default:
      return ''
  }
}

const candidates = [...'a1 A_-./:@#<>[]{}()"\'=,;*\n\té漢а\u0301']

function sampleOfSet(element: AST.CharacterClass['elements'][number] | AST.CharacterSet): string {
  try {
    const regex = new RegExp(`^${element.raw}$`, 'us')
    return candidates.find((one) => regex.test(one)) ?? ''
  } catch {
    return 'a'
  }
}

const sampleOfMember = (member: AST.CharacterClass['elements'][number]): string => {
  if (member.type === 'Character') return String.fromCodePoint(member.value)
  if (member.type === 'CharacterClassRange') return String.fromCodePoint(member.min.value)
  return member.type === 'CharacterSet' ? sampleOfSet(member) : ''
}

function outside(element: AST.CharacterClass): string {
  for (const flags of ['u', 'v', '']) {
    try {
      const regex = new RegExp(`^${element.raw}$`, flags)
      return candidates.find((one) => regex.test(one)) ?? ''
    } catch {}
  }
  return 'a'
}
