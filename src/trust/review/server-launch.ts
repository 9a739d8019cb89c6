import { dirname } from 'node:path'
import { isSecretName, mask, maskSecrets } from '../../domain/text/secrets.ts'
import { displayOf } from '../../catalog/server-entries.ts'
import type { McpServerEntry } from '../../catalog/ports.ts'

/** Variables that say which code runs or who is asked; of all others only the name counts, since the value may be secret. */
const telling =
  /^(?:PATH|NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|LD_\w+|DYLD_\w+|JAVA_TOOL_OPTIONS|RUBYOPT|PERL5OPT|BASH_ENV|\w*(?:URL|URI|HOST|ENDPOINT|PROXY|REGISTRY))$/i

/**
 * How a server is started or reached, a fact per line, for people to compare: command line or address with secrets masked,
 * variables and headers by name (with the value where it says which code runs), the working folder where it matters. A
 * rotated token leaves it as it is.
 */
export function launchFacts({ launch, config }: McpServerEntry, dependsOnFolder: boolean): string {
  const display = `${launch.transport} ${displayOf(launch)}`
  if (launch.transport !== 'stdio') {
    return [display, ...Object.keys(launch.headers).sort().map(headerFact)].join('\n')
  }
  const folder = launch.cwd ?? (dependsOnFolder ? dirname(config) : undefined)
  return [
    display,
    ...Object.keys(launch.env)
      .sort()
      .map((name) => `env ${name}${telling.test(name) ? `=${shown(name, launch.env[name] ?? '')}` : ''}`),
    ...(folder === undefined ? [] : [`in ${folder}`]),
  ].join('\n')
}

/** Of {@link launchFacts}, what makes it the same program or address: all but names of variables and headers. */
export const programOf = (facts: string): string =>
  facts
    .split('\n')
    .filter((fact) => !/^(?:env [^=]*|header .*)$/.test(fact))
    .join('\n')

const headerFact = (name: string): string => `header ${name.toLowerCase()}`

const shown = (name: string, value: string): string => (isSecretName(name) ? mask : maskSecrets(value))
