/** What no answer may hold: parts of the machine, secrets of the environment, traces of the program. */
export type Secrets = { readonly [what: string]: string }

/** A line of a stack, raw or inside a JSON string: `at run (node:internal/x:1:2)`, `server.js:10:5`. */
const traces = /(?:\n|\\n)\s*at\s+\S+.*:\d+:\d+|node:internal|\.[cm]?[jt]s:\d+:\d+|node_modules/

/** Content of files that path traversal is after. */
const contents = /root:[x*]?:0:0:|\[fonts\]|PATH=\/usr/

/** Names of what leaked in an answer; empty when nothing did. */
export function leaksIn(answer: string, secrets: Secrets): readonly string[] {
  const lower = answer.toLowerCase()
  return [
    ...(traces.test(answer) ? ['a trace of the program'] : []),
    ...(contents.test(answer) ? ['the content of a file'] : []),
    ...Object.entries(secrets).flatMap(([what, value]) =>
      lower.includes(value.toLowerCase()) ? [what] : [],
    ),
  ]
}
