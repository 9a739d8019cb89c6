import { mkdirSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { discover } from '../../src/hosts/discover.ts'
import type { Surroundings } from '../../src/hosts/surroundings.ts'
import { folderWith, temporaryFolder } from '../catalog/temporary-folder.ts'

const servers = '{"mcpServers": {"x": {"command": "x"}}}'

/** What is found, by path relative to the root and scope, in order. */
function found(root: string, cwd: string, rest: Partial<Surroundings> = {}): [string, string][] {
  const surroundings: Surroundings = {
    cwd: join(root, cwd),
    home: join(root, 'home'),
    platform: 'linux',
    env: {},
    ...rest,
  }
  return discover(surroundings).map(({ path, scope }) => [relative(root, path), scope])
}

describe.skipIf(process.platform === 'win32')('discover', () => {
  test('finds what a project and a home hold, the project first', () => {
    const root = folderWith({
      'home/app/.git/HEAD': '',
      'home/app/.mcp.json': servers,
      'home/app/.vscode/mcp.json': '{"servers": {}}',
      'home/app/.cursor/mcp.json': servers,
      'home/app/.claude/agents/a.md': '',
      'home/app/.claude/skills/s/SKILL.md': '',
      'home/app/.github/agents/b.agent.md': '',
      'home/.config/Claude/claude_desktop_config.json': servers,
      'home/.claude.json': servers,
      'home/.claude/agents/c.md': '',
      'home/.claude/skills/t/SKILL.md': '',
      'home/.cursor/mcp.json': servers,
      'home/.codeium/windsurf/mcp_config.json': servers,
      'home/.config/Code/User/mcp.json': '{"servers": {}}',
      'home/.config/Code/User/settings.json':
        '{ // settings\n "mcp": { "servers": { "x": { "command": "x", "args": [] } } } }',
      'home/.claude/commands/d.md': '',
      'home/.copilot/agents/e.agent.md': '',
    })
    expect(found(root, 'home/app')).toEqual([
      ['home/app/.mcp.json', 'project'],
      ['home/app/.claude/agents', 'project'],
      ['home/app/.claude/skills', 'project'],
      ['home/app/.vscode/mcp.json', 'project'],
      ['home/app/.cursor/mcp.json', 'project'],
      ['home/app/.github/agents', 'project'],
      ['home/.claude.json', 'home'],
      ['home/.claude/agents', 'home'],
      ['home/.claude/skills', 'home'],
      ['home/.claude/commands', 'home'],
      ['home/.config/Claude/claude_desktop_config.json', 'home'],
      ['home/.config/Code/User/mcp.json', 'home'],
      ['home/.config/Code/User/settings.json', 'home'],
      ['home/.cursor/mcp.json', 'home'],
      ['home/.codeium/windsurf/mcp_config.json', 'home'],
      ['home/.copilot/agents', 'home'],
    ])
  })

  test('walks up to the root of the repository and no further, nearest first', () => {
    const root = folderWith({
      '.mcp.json': servers,
      'repository/.git': 'gitdir: elsewhere',
      'repository/.mcp.json': servers,
      'repository/packages/one/.mcp.json': servers,
      'repository/packages/one/src/x': '',
    })
    expect(found(root, 'repository/packages/one/src')).toEqual([
      ['repository/packages/one/.mcp.json', 'project'],
      ['repository/.mcp.json', 'project'],
    ])
  })

  test('without a repository looks into the working folder alone', () => {
    const root = folderWith({ '.mcp.json': servers, 'here/.mcp.json': servers })
    expect(found(root, 'here')).toEqual([['here/.mcp.json', 'project']])
  })

  test('takes the home folder for no project, even from within', () => {
    const root = folderWith({ 'home/.claude/agents/a.md': '', 'home/.mcp.json': servers })
    expect(found(root, 'home')).toEqual([['home/.claude/agents', 'home']])
  })

  test.each([
    {
      why: 'Claude Code settings without servers',
      files: { 'home/.claude.json': '{"mcpServers": {}, "projects": {}}' },
      cwd: '.',
    },
    {
      why: 'editor settings without servers',
      files: { 'home/.config/Code/User/settings.json': '{"a": 1}' },
      cwd: '.',
    },
    {
      why: 'broken editor settings',
      files: { 'home/.config/Code/User/settings.json': '{"mcp": ' },
      cwd: '.',
    },
    {
      why: 'settings of VS Code whose list is empty',
      files: { 'home/.config/Code/User/settings.json': '{"mcp": {"servers": {}}}' },
      cwd: '.',
    },
    {
      why: 'settings of Codex without servers',
      files: { 'home/.codex/config.toml': 'model = "mcp"' },
      cwd: '.',
    },
    { why: 'broken settings of Codex', files: { 'home/.codex/config.toml': '[mcp_servers.a' }, cwd: '.' },
    {
      why: 'settings of Zed without servers',
      files: { 'home/.config/zed/settings.json': '{"context_servers": {}}' },
      cwd: '.',
    },
    { why: 'a folder in place of a file', files: { 'app/.mcp.json/x': '' }, cwd: 'app' },
    { why: 'a file in place of a folder', files: { 'app/.claude/agents': '' }, cwd: 'app' },
  ])('passes over $why', ({ files, cwd }) => {
    expect(found(folderWith(files as Record<string, string>), cwd)).toEqual([])
  })

  test('passes over an empty folder', () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'app/.claude/agents'), { recursive: true })
    expect(found(root, 'app')).toEqual([])
  })

  test('finds a file once that two links lead to', () => {
    const root = folderWith({ 'dotfiles/mcp.json': servers })
    mkdirSync(join(root, 'home/.cursor'), { recursive: true })
    mkdirSync(join(root, 'app/.cursor'), { recursive: true })
    for (const place of ['home', 'app'])
      symlinkSync(join(root, 'dotfiles/mcp.json'), join(root, place, '.cursor/mcp.json'))
    expect(found(root, 'app')).toEqual([['app/.cursor/mcp.json', 'project']])
  })

  test.each([
    {
      platform: 'darwin' as const,
      desktop: 'home/Library/Application Support/Claude/claude_desktop_config.json',
      env: {},
    },
    {
      platform: 'linux' as const,
      desktop: 'xdg/Claude/claude_desktop_config.json',
      env: { XDG_CONFIG_HOME: 'xdg' },
    },
  ])('knows where $platform keeps settings', ({ platform, desktop, env }) => {
    const root = folderWith({ [desktop]: servers })
    const absolute = Object.fromEntries(Object.entries(env).map(([name, path]) => [name, join(root, path)]))
    expect(found(root, '.', { platform, env: absolute })).toEqual([[desktop, 'home']])
  })

  test('follows CLAUDE_CONFIG_DIR', () => {
    const root = folderWith({
      'claude/agents/a.md': '',
      'claude/.claude.json': servers,
      'home/.claude/agents/b.md': '',
    })
    expect(found(root, '.', { env: { CLAUDE_CONFIG_DIR: join(root, 'claude') } })).toEqual([
      ['claude/.claude.json', 'home'],
      ['claude/agents', 'home'],
    ])
  })

  test('finds nothing where nothing is', () => {
    expect(found(temporaryFolder(), '.')).toEqual([])
  })
})
