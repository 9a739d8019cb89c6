import { once } from '../../domain/once.ts'
import { linesOfFile } from './glossary.ts'

const simple = once(() => new Map(linesOfFile('traditional.txt').map(([one, other]) => [one!, other!])))

/** Traditional Chinese in simplified letters, letter by letter. */
export const simplified = (text: string): string =>
  text.replace(/\p{sc=Han}/gu, (letter) => simple().get(letter) ?? letter)
