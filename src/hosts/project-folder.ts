import { dirname } from 'node:path'
import { hosts } from './hosts.ts'

/** Where files of projects lie in the folder of the project, the longest way first. */
const ways = hosts
  .flatMap(({ files }) => files.flatMap(({ ways: own }) => own ?? []))
  .toSorted((a, b) => b.length - a.length)

/** The folder a configuration speaks for: that of its project where a host keeps it deeper, else its own. */
export function projectFolderOf(config: string): string {
  const names = config.split(/[\\/]/)
  const way = ways.find((parts) => parts.every((part, at) => names.at(at - parts.length) === part))
  let folder = dirname(config)
  for (let up = 1; up < (way?.length ?? 1); up += 1) folder = dirname(folder)
  return folder
}
