import { expect, test } from 'vitest'
import { projectFolderOf } from '../../src/hosts/hosts.ts'

test.each([
  ['/projects/app/.mcp.json', '/projects/app'],
  ['/projects/app/.vscode/mcp.json', '/projects/app'],
  ['/projects/app/.cursor/mcp.json', '/projects/app'],
  ['/projects/app/.kiro/settings/mcp.json', '/projects/app'],
  ['/projects/app/.junie/mcp/mcp.json', '/projects/app'],
  ['/projects/app/.codex/config.toml', '/projects/app'],
  ['/projects/app/.opencode/opencode.jsonc', '/projects/app'],
  ['/projects/app/opencode.json', '/projects/app'],
  ['/projects/app/.zed/settings.json', '/projects/app'],
  ['/projects/app/settings/mcp.json', '/projects/app/settings'],
  ['/home/me/.claude.json', '/home/me'],
  ['/home/me/.config/zed/settings.json', '/home/me/.config/zed'],
])('%s speaks for %s', (config, folder) => {
  expect(projectFolderOf(config)).toBe(folder)
})
