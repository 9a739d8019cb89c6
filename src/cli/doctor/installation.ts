import { chooseSandbox } from '../ask/permission.ts'
import type { Check, Finding } from './check.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'
import { RemedyError } from '../../domain/remedy-error.ts'

/** The oldest Node.js that the package runs on; `engines` in package.json says the same. */
const leastMajor = 20

/** Whether this Node.js is new enough. */
export const nodeVersion: Check = {
  name: 'node',
  run: async () => [judgeVersion(process.versions.node)],
}

/** @param version - as Node.js states it, for example `20.20.2` */
export const judgeVersion = (version: string): Finding =>
  Number.parseInt(version, 10) >= leastMajor
    ? { state: 'ok', message: `Node.js ${version}` }
    : {
        state: 'fail',
        message: `Node.js ${version} is too old`,
        remedy: `Install Node.js ${leastMajor} or newer.`,
      }

/** Whether the setting names a language model; no word when none is configured. Nothing is asked of it. */
export const languageModel: Check = {
  name: 'language model',
  async run(context) {
    const spec = await (await context.audition()).languageModel()
    return spec === null ? [] : [{ state: 'ok', message: `${maskSecrets(spec)}, not asked` }]
  },
}

/** Whether the reranker that is configured opens; no word when none is. One that others run is not asked. */
export const reranker: Check = {
  name: 'reranker',
  async run(context) {
    try {
      const found = await (await context.audition()).reranker()
      if (found === null) return []
      const count = found.depth === 1 ? 'candidate' : `${found.depth} candidates`
      return [{ state: 'ok', message: `${found.id}, over the first ${count}` }]
    } catch (error) {
      if (!RemedyError.isInstance(error)) throw error
      return [{ state: 'fail', message: error.message, remedy: error.remedy }]
    }
  },
}

/** Whether the tokens of A2A agents are written as they are read; no word when there are none. Never shows one. */
export const agentTokens: Check = {
  name: 'a2a tokens',
  async run(context) {
    const origins = await (await context.audition()).agentOrigins()
    return origins.length === 0 ? [] : [{ state: 'ok', message: `for ${origins.join(', ')}` }]
  },
}

/** Which sandbox holds the programs that are started, whether it works here, and which one would where none is chosen. */
export const sandbox: Check = {
  name: 'sandbox',
  async run(context) {
    const { within, fault, available } = await (await context.audition()).containment()
    if (fault !== null)
      return [{ state: 'fail', message: `nothing is started: ${fault.message}`, remedy: fault.remedy }]
    return [
      {
        state: 'ok',
        message: within,
        ...(available === undefined ? {} : { remedy: chooseSandbox(available) }),
      },
    ]
  },
}
