import { readdirSync, readFileSync } from 'node:fs'

/**
 * Living processes whose command line or environment holds a mark: what an execution left behind. Linux alone tells.
 *
 * @returns `pid command line`
 */
export function leftOver(mark: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const [line, environment] = [textOf(`/proc/${pid}/cmdline`), textOf(`/proc/${pid}/environ`)]
      return line.includes(mark) || environment.includes(mark) ? [`${pid} ${line}`] : []
    })
}

/** Empty when the process is gone or a zombie. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
