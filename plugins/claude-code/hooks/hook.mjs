// Answers a hook of Claude Code by `audition hook`: node hook.mjs <main file of Audition> [its options]
//
// Whatever goes wrong, and whatever takes too long, the host goes on as if nobody had been asked: nothing is said, and
// the exit code is 0. By exit code 2 it would stop what its user wanted, and by any other show an error each time.
import { pathToFileURL } from 'node:url'

const mostMs = 3_000

const giveUp = () => process.exit(0)
process.on('uncaughtException', giveUp)
process.on('unhandledRejection', giveUp)
process.on('exit', () => {
  process.exitCode = 0
})
setTimeout(giveUp, mostMs).unref()

const [node, , main, ...options] = process.argv
process.argv = [node, main, ...options, 'hook']
await import(pathToFileURL(main).href)
