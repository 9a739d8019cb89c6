import { fileURLToPath } from 'node:url'

/** The package's folder, from `dist/bench/bench`. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The command line program as users get it; `npm run bench` builds it first. */
export const builtProgram = fileURLToPath(new URL('../../cli/main.js', import.meta.url))
