import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolderOf } from '../hosts/project-folder.ts'
import type { McpServerEntry } from './ports.ts'

/** Whether an entry means something else in another folder: a server starts in the folder that its configuration speaks for. */
export function dependsOnFolder({ launch, config }: McpServerEntry): boolean {
  if (launch.transport !== 'stdio' || launch.cwd !== undefined) return false
  return [launch.command, ...launch.args].some(
    (word) => /^\.{1,2}(?:[\\/]|$)|\$\{workspaceFolder/.test(word) || isFileBeside(config, word),
  )
}

/** `node` is not a file beside the configuration, even where a folder happens to bear that name. */
const isFileBeside = (config: string, word: string): boolean =>
  /[.\\/]/.test(word) && !word.startsWith('-') && existsSync(join(projectFolderOf(config), word))
