import { isReference, isSecretName, mask, maskSecrets } from '../domain/text/secrets.ts'
import type { McpServerEntry } from './ports.ts'

/**
 * The command line or address of a server, for people to read: secret-looking parts are masked, variables stay as
 * the configuration writes them. Environment and headers are left out. Not meant to be executed.
 */
export function displayOf(launch: McpServerEntry['launch']): string {
  if (launch.transport !== 'stdio') return maskSecrets(launch.url, Object.values(launch.headers))
  const words = [launch.command, ...launch.args]
  const masked = words.map((word, index) =>
    hasSecretFlagBefore(words, index) ? maskWord(word) : maskSecrets(word, secretValues(launch.env)),
  )
  return masked.map(quoted).join(' ')
}

/** The value after `--api-key`, but not the next flag after a switch such as `--no-auth --port`. */
function hasSecretFlagBefore(words: readonly string[], index: number): boolean {
  const before = words[index - 1] ?? ''
  return (
    index > 1 && /^--?[A-Za-z][\w-]*$/.test(before) && isSecretName(before) && !words[index]?.startsWith('-')
  )
}

const maskWord = (word: string): string => (isReference(word) ? word : mask)

const secretValues = (environment: { readonly [name: string]: string }): string[] =>
  Object.entries(environment).flatMap(([name, value]) => (isSecretName(name) ? [value] : []))

const quoted = (word: string): string => (/^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word))
