import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { fileName } from '../path-names.ts'
import type { Reader } from '../ports.ts'
import { detailsOf, field, refused, textOf, textsOf, withoutSecrets } from '../formats/published-fields.ts'

/** Fields of which a manifest has at least one beside its name. */
const telling = ['description', 'author', 'version', 'commands', 'agents', 'skills', 'hooks', 'mcpServers']
/** Fields of other things that are called `plugin.json`. */
const foreign = ['tools', 'api', 'schema_version', '$schema', 'id', 'type', 'main', 'packages']

/**
 * Reads the manifest of a Claude Code plugin as a toolkit. Its sub-agents, skills and connectors are files of their
 * own beside it, with readers of their own.
 *
 * @see https://docs.claude.com/en/docs/claude-code/plugins-reference
 */
export const claudePlugin: Reader = {
  name: 'claude-plugin',
  describes: 'Claude Code plugin manifests, .claude-plugin/plugin.json (JSON)',
  grain: 'card',
  recognises(document) {
    if (!/(?:^|[._-])plugin\.json$/i.test(fileName(document.path))) return false
    const plugin = document.json()
    if (!isJsonObject(plugin)) return false
    if (/[\\/]\.claude-plugin[\\/]/.test(document.path)) return true
    if (typeof plugin.name !== 'string' || foreign.some((name) => plugin[name] !== undefined)) return false
    return telling.some((name) => plugin[name] !== undefined)
  },
  read(document) {
    const plugin = document.json()
    if (!isJsonObject(plugin) || textOf(plugin.name) === '') {
      return refused({
        file: document.label,
        field: 'name',
        message: 'the plugin has no name',
        remedy: 'Give the manifest a "name" in kebab-case.',
      })
    }
    const author = isJsonObject(plugin.author) ? textOf(plugin.author.name) : textOf(plugin.author)
    return {
      cards: [
        {
          kind: 'agent',
          agentKind: 'toolkit',
          name: textOf(plugin.name),
          ...field('title', textOf(plugin.displayName)),
          description: textOf(plugin.description),
          examples: [],
          tags: textsOf(plugin.keywords, plugin.tags, plugin.category),
          ...field('publisher', author),
          backbone: null,
          tools: [],
          policy: {},
          ...detailsOf({
            version: plugin.version,
            license: plugin.license,
            homepage: withoutSecrets(textOf(plugin.homepage)),
            repository: withoutSecrets(repositoryOf(plugin)),
            mcpServers: isJsonObject(plugin.mcpServers) ? Object.keys(plugin.mcpServers).join(', ') : '',
          }),
        },
      ],
      servers: [],
      problems: [],
    }
  },
}

const repositoryOf = ({ repository }: JsonObject): string =>
  isJsonObject(repository) ? textOf(repository.url) : textOf(repository)

/**
 * Recognises Claude Code's list of installed plugins. It names folders anywhere on the machine, so only the user's own is
 * followed, by `plugin-sources.ts`; what is read here is a copy, which gives nothing.
 */
export const claudePluginList: Reader = {
  name: 'claude-plugin-list',
  describes: 'installed plugins of Claude Code, ~/.claude/plugins/installed_plugins.json (JSON)',
  grain: 'catalog',
  recognises(document) {
    if (fileName(document.path) !== 'installed_plugins.json') return false
    const list = document.json()
    return isJsonObject(list) && isJsonObject(list.plugins)
  },
  read: (document) =>
    refused({
      file: document.label,
      message: 'this is not your own list of plugins, and the folders that it names are not read',
      remedy: 'Name the folder of a plugin to read it.',
    }),
}
