import type { Session } from './session.ts'

/** A permit in words. @param known - how permits begin, and what those stand for */
export function inWords(permit: string, known: Session['permitWords']): string {
  if (permit === 'bundled') return 'Everything that ships with Audition, but for the models it needs'
  const words = known.find((one) => permit.startsWith(`${one.permit}:`))
  const rest = words === undefined ? permit : permit.slice(words.permit.length + 1)
  if (!permit.endsWith('*')) return words === undefined ? rest : `${words.one} ${rest}`
  const isOfFile = words?.inFile !== undefined && rest.endsWith('#*')
  const what = isOfFile ? `${words.inFile} ${rest.slice(0, -2)}` : `${words?.all ?? ''} ${rest.slice(0, -1)}`
  return `${what}: whatever it starts, what is added later, and after a change too`
}
