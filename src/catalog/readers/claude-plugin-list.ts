import { isJsonObject } from '../../domain/json.ts'
import { fileName } from '../path-names.ts'
import type { Reader } from '../ports.ts'
import { refused } from '../formats/published-fields.ts'

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
