import { existsSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { realPath } from '../../domain/paths.ts'
import { findProgram } from './find-program.ts'
import { namedWork } from './named-work.ts'
import { scriptsOf } from './project-scripts.ts'
import type { StdioLaunch } from './process-group.ts'

/**
 * Where a command line leads on this machine, links followed: the program, the working folder, those of the arguments that are
 * paths of links, and what of the project it names: files, what these load, and lines of `package.json`.
 *
 * @param said - the file that says the command line: it and what it names may be of one project
 */
export function resolveLaunch({ command, args, env, cwd }: StdioLaunch, said?: string) {
  const found = findProgram(command, env, cwd)
  const program = found === undefined ? undefined : realPath(found)
  const folder = whereItLeads(cwd)
  return {
    ...(program === undefined ? {} : { program }),
    folder,
    ...(said === undefined ? {} : behind({ said, program, words: [command, ...args] }, { folder, env })),
    links: args.flatMap((argument): (readonly [string, string])[] => {
      const path = pathIn(argument)
      if (path === undefined) return []
      const written = resolve(folder, path)
      const target = realPath(written)
      return target === written ? [] : [[argument, target]]
    }),
  }
}

/** What the words of a command line lead to in the project of the file that says it. */
function behind(
  line: {
    readonly said: string
    readonly program: string | undefined
    readonly words: readonly string[]
  },
  place: { readonly folder: string; readonly env: StdioLaunch['env'] },
) {
  const { said, program, words } = line
  const { lines, paths, folders } = namedWork(words, place)
  return {
    lines,
    ...scriptsOf(said, { paths: program === undefined ? paths : [program, ...paths], folders }),
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
