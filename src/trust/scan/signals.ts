/** What single words tell of a text, so that rules which search for more need not look at every text. */
export type Signal = 'backwards' | 'rotated' | 'command' | 'speaker'

/** Words that most instructions hold one of. */
const common =
  'ignore instruction instructions previous prompt disregard passwords secretly after credentials user tell tool before contents always never conversation confirmation email message forget'

const rotated = (word: string): string =>
  word.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97))

/** Each backwards, and rotated by 13 letters. */
const turned = common.split(' ').map((word) => [[...word].reverse().join(''), rotated(word)] as const)

/** The words of each signal, as an alternative of `phrase.ts`. */
export const signalWords: { readonly [S in Signal]: string } = {
  backwards: turned.map(([letters]) => letters).join('|'),
  rotated: turned.map(([, letters]) => letters).join('|'),
  command: 'curl|wget|iwr|webrequest|bash|sh|rm|nc|powershell|iex|expression|base64|crontab|chmod|tcp|cat',
  speaker:
    'system|assistant|developer|human|user|inst|sys|im|important|tool|function|api|start|eot|turn|endoftext|critical|mandatory|secret|hidden|override|admin|attention|antml|instructions|priority|message|channel|return|begin',
}
