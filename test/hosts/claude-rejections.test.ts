import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openSources } from '../../src/indexing/open-sources.ts'
import { temporaryFolder } from '../catalog/temporary-folder.ts'

const servers = { mcpServers: { files: { command: 'serve' }, mail: { command: 'send' } } }
const rejecting = (...names: readonly string[]) => ({ disabledMcpjsonServers: names })

/** A project and a home with these files, JSON of what is no text; which servers of the project may be asked. */
async function opened(files: { readonly [path: string]: unknown }, config = 'project/.mcp.json') {
  const root = temporaryFolder()
  for (const [path, content] of Object.entries({ [config]: servers, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(root, path), text.replaceAll('ROOT', root))
  }
  const env = files['claude/settings.json'] === undefined ? {} : { CLAUDE_CONFIG_DIR: join(root, 'claude') }
  const surroundings = {
    harvester: { harvest: () => Promise.reject(new Error('nothing is asked here')) },
    fetchDocument: () => Promise.reject(new Error('nothing is fetched here')),
    user: { home: join(root, 'home'), platform: process.platform, env },
    label: (path: string) => path,
  }
  const { sources, problems } = await openSources(join(root, config), surroundings, AbortSignal.timeout(9000))
  return { root, asked: sources.map(({ wantedId }) => wantedId), problems }
}

test.each([
  {
    why: 'shared settings of the project',
    file: 'project/.claude/settings.json',
    content: rejecting('mail', 'elsewhere'),
  },
  {
    why: 'settings of the project for this user',
    file: 'project/.claude/settings.local.json',
    content: { ...rejecting('mail'), enabledMcpjsonServers: ['mail'], enableAllProjectMcpServers: true },
  },
  {
    why: "the user's settings",
    file: 'home/.claude/settings.json',
    content: '{ // mine\n"disabledMcpjsonServers": ["mail"] }',
  },
  {
    why: "the user's settings in another folder",
    file: 'claude/settings.json',
    content: rejecting('mail'),
  },
  {
    why: "the project in the user's configuration",
    file: 'home/.claude.json',
    content: { projects: { 'ROOT/project': rejecting('mail'), 'ROOT/other': rejecting('files') } },
  },
  {
    why: 'a choice made by /mcp',
    file: 'home/.claude.json',
    content: { projects: { 'ROOT/project': { disabledMcpServers: ['mail'] } } },
  },
])('a server of .mcp.json is switched off by $why: reported, not asked', async ({ file, content }) => {
  const { root, asked, problems } = await opened({ [file]: content })
  expect(asked).toEqual(['files'])
  expect(problems).toEqual([
    expect.objectContaining({
      severity: 'warning',
      field: 'mail',
      message: `server "mail" is switched off in ${join(root, file)}; it was not asked for its tools`,
    }),
  ])
})

test.each([
  {
    why: 'for another project',
    file: 'home/.claude.json',
    content: { projects: { 'ROOT/other': rejecting('mail') } },
  },
  { why: 'at the top of .claude.json', file: 'home/.claude.json', content: rejecting('mail') },
  {
    why: 'by something that is no list of names',
    file: 'project/.claude/settings.json',
    content: { disabledMcpjsonServers: { mail: 1 } },
  },
  { why: 'by an empty file', file: 'project/.claude/settings.json', content: '' },
])('no server is switched off $why', async ({ file, content }) => {
  expect(await opened({ [file]: content })).toMatchObject({ asked: ['files', 'mail'], problems: [] })
})

test('what Claude Code rejects of .mcp.json stays on in the configuration of another host', async () => {
  const files = { 'project/.claude/settings.json': rejecting('mail') }
  const { asked } = await opened(files, 'project/mcp.json')
  expect(asked).toEqual(['files', 'mail'])
})

test.each([
  { why: 'broken', file: 'project/.claude/settings.json', content: '{"disabledMcpjsonServers": ["fi' },
  { why: 'a list', file: 'home/.claude/settings.json', content: '["mail"]' },
  { why: 'binary', file: 'home/.claude.json', content: '\u0000' },
])('settings that are $why are told and stop nothing', async ({ file, content }) => {
  const local = { 'project/.claude/settings.local.json': rejecting('mail') }
  const { root, asked, problems } = await opened({ [file]: content, ...local })
  expect(asked).toEqual(['files'])
  expect(problems).toContainEqual(
    expect.objectContaining({
      severity: 'warning',
      file: join(root, file),
      message: expect.stringContaining('servers that it rejects for Claude Code are not known'),
    }),
  )
})
