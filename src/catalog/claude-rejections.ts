import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { claudeFolder, claudeUserConfig, type HostUser } from './host-paths.ts'
import { fileName } from './path-names.ts'
import type { Problem } from './ports.ts'
import { textsOf } from './published-fields.ts'
import { DocumentError, openDocument } from './source-document.ts'

/** What Claude Code was told not to start. */
export type Rejections = {
  /** Names of servers to the file that rejects them. */
  readonly files: ReadonlyMap<string, string>
  /** Settings that could not be read: they reject nothing. */
  readonly problems: readonly Problem[]
}

/**
 * The servers of a project's `.mcp.json` that were rejected in Claude Code: by `disabledMcpjsonServers` in the settings
 * of the project or of the user, where one file is enough and no approval undoes it, or for this project in the user's
 * `.claude.json`. Other configurations have none.
 *
 * @param config - path of the configuration
 * @param user - without one the settings of the project alone count
 * @see https://code.claude.com/docs/en/settings and https://code.claude.com/docs/en/mcp
 */
export function claudeRejections(config: string, user: HostUser | undefined): Rejections {
  if (fileName(config) !== '.mcp.json' || /^https?:/i.test(config)) return { files: new Map(), problems: [] }
  const project = dirname(resolve(config))
  const places: readonly Place[] = [
    { path: join(project, '.claude', 'settings.json'), rejected },
    { path: join(project, '.claude', 'settings.local.json'), rejected },
    ...(user === undefined
      ? []
      : [
          { path: join(claudeFolder(user), 'settings.json'), rejected },
          { path: claudeUserConfig(user), rejected: rejectedIn(project) },
        ]),
  ]
  const files = new Map<string, string>()
  const problems: Problem[] = []
  for (const place of places) {
    const settings = settingsAt(place.path)
    if (settings.kind === 'broken') problems.push(settings.problem)
    else for (const name of place.rejected(settings.fields)) files.set(name, place.path)
  }
  return { files, problems }
}

/** A file, and the names that its fields reject. */
type Place = {
  readonly path: string
  readonly rejected: (fields: JsonObject) => readonly string[]
}

const rejected = ({ disabledMcpjsonServers }: JsonObject): readonly string[] =>
  textsOf(disabledMcpjsonServers)

/** `.claude.json` has the choices of each project under its folder, those made by `/mcp` for servers of any place too. */
function rejectedIn(project: string): Place['rejected'] {
  // Claude Code writes the folder as it is without links.
  const names = [project, existsSync(project) ? realpathSync(project) : project]
  return ({ projects }) =>
    Object.entries(isJsonObject(projects) ? projects : {}).flatMap(([folder, chosen]) =>
      isJsonObject(chosen) && names.includes(resolve(folder))
        ? [...rejected(chosen), ...textsOf(chosen.disabledMcpServers)]
        : [],
    )
}

type ReadSettings =
  | { readonly kind: 'read'; readonly fields: JsonObject }
  | { readonly kind: 'broken'; readonly problem: Problem }

/** The fields of a settings file; none when it is not there or empty. */
function settingsAt(path: string): ReadSettings {
  try {
    const document = openDocument(path)
    const fields = document.text.trim() === '' ? {} : document.json()
    return isJsonObject(fields)
      ? { kind: 'read', fields }
      : broken(path, 'is not a JSON object', 'Mend its syntax.')
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { cause, problem } = error
    const isMissing =
      cause instanceof Error && 'code' in cause && /^(?:ENOENT|ENOTDIR)$/.test(`${cause.code}`)
    return isMissing ? { kind: 'read', fields: {} } : broken(path, problem.message, problem.remedy)
  }
}

const broken = (file: string, message: string, remedy: string): ReadSettings => ({
  kind: 'broken',
  problem: {
    severity: 'warning',
    file,
    message: `${message}; servers that it rejects for Claude Code are not known`,
    remedy,
  },
})
