import { existsSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { realPath } from '../../paths/real-path.ts'
import { findProgram } from './find-program.ts'
import type { StdioLaunch } from './process-group.ts'

/**
 * Where a command line leads on this machine, links followed: the program, the working folder, and those of the arguments that are
 * paths of links.
 */
export function resolveLaunch({ command, args, env, cwd }: StdioLaunch) {
  const program = findProgram(command, env, cwd)
  const folder = whereItLeads(cwd)
  return {
    ...(program === undefined ? {} : { program: realPath(program) }),
    folder,
    links: args.flatMap((argument): (readonly [string, string])[] => {
      const path = pathIn(argument)
      if (path === undefined) return []
      const written = resolve(folder, path)
      const target = realPath(written)
      return target === written ? [] : [[argument, target]]
    }),
  }
}

/** The path that an argument is, or that stands after the `=` of a flag, when there is such a file. */
function pathIn(argument: string): string | undefined {
  const path = argument.replace(/^--?[\w-]+=/, '')
  return path === '' || path.startsWith('-') ? undefined : path
}

/** Of a folder that is not there yet, the part that is counts. */
function whereItLeads(folder: string): string {
  const own = isAbsolute(folder) ? folder : resolve(folder)
  if (existsSync(own) || own === dirname(own)) return realPath(own)
  return join(whereItLeads(dirname(own)), basename(own))
}
