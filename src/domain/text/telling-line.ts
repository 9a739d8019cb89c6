/** Lines that say nothing of what went wrong: places in code, marks beneath them, greetings of runtimes and package managers. */
const noise: readonly RegExp[] = [
  /^at\s+\S.*(?:[:(]|<anonymous>)/,
  /^File ".*", line \d+/,
  /^[\s^~|+\-–—=*#.…{}()[\],;:'"`]*$/,
  /^(?:Traceback \(most recent call last\)|stack backtrace|Stack trace|Call stack|Caused by):?$/i,
  /^(?:Node\.js|Python|Bun|Deno) v?\d/,
  /^(?:node:|file:\/\/|\/|[A-Z]:\\)\S*:\d+(?::\d+)?$/,
  /^(?:Debugger (?:attached|listening)|Waiting for the debugger|For help, see: https:\/\/nodejs)/,
  /^\(?(?:node:\d+\) )?\S*Warning\b/,
  /^\(Use `node --trace/,
  /^npm (?:notice|warn|http|verbose|info)\b/i,
  /^npm err(?:or|!) (?:code \S+|A complete log|Log files|\/|path |syscall |errno |This is probably not a problem|\d+$)/i,
  /^thread '.*' panicked at \S+:\d+:\d+:?$/,
  /^note: run with `RUST_BACKTRACE/,
  /^(?:goroutine \d+|exit status \d+|The above exception|During handling of)/,
  /^(?:throw|raise|return|await|import|const|let|var|if|from \S+ import)\b/,
  /^(?:\w*[cC]ode|errno|syscall|path|requireStack|spawnargs|address|port):\s/,
]

/** A class of errors, as runtimes print it before the message. */
const namedError =
  /^(?:Uncaught |Unhandled )?\[?(?:\w*\]\s*|\w+\s+)?(?:[\w.$]*(?:Error|Exception)|panic|fatal(?: error)?)\b.{0,60}?:\s*\S/i
const trouble =
  /\b(?:error|err!|exception|fatal|panic(?:ked)?|fail(?:ed|ure|s)?|cannot|can't|couldn't|could not|unable|missing|required?|invalid|not (?:found|set|defined|installed|exist|configured)|denied|refused|unauthori[sz]ed|forbidden|no such|must|usage|unknown|unsupported|expired|EACCES|ENOENT|ECONNREFUSED|EADDRINUSE)\b/i

/** How much a line says of what went wrong. */
function weightOf(line: string): number {
  if (noise.some((one) => one.test(line))) return 0
  if (namedError.test(line)) return 3
  return trouble.test(line) ? 2 : 1
}

/**
 * The line of a program's last words that says best why it ended: an error by its name before a line that tells of trouble, before any
 * other; of several errors the first, since the others follow from it, but of a chain, as Python prints it, the last; of other lines the last.
 *
 * @returns the line without the space around it; empty when there is none
 */
export function tellingLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  const weights = lines.map(weightOf)
  const best = weights.reduce((most, weight) => Math.max(most, weight), 0)
  if (best === 0) return lines.findLast((line) => line !== '') ?? ''
  const isChain = /^Traceback \(most recent call last\)/m.test(text)
  const at = best > 1 && !isChain ? weights.indexOf(best) : weights.lastIndexOf(best)
  return lines[at]!
}
