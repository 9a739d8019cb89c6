import type { Check, Finding } from './check.ts'

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
