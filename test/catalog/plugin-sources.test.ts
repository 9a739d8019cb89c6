import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configuredEntry } from '../../src/adapters/mcp-client/mcp-tool-executor.ts'
import { openSources } from '../../src/indexing/open-sources.ts'
import { discover } from '../../src/hosts/discover.ts'
import { folderWith } from './temporary-folder.ts'

/** `${name}`, as plugins write what is to be filled in. */
const filledIn = (name: string) => `\u0024{${name}}`
const json = JSON.stringify

const cache = 'home/.claude/plugins/cache/office/post/1.2.0'
const plugin = {
  [`${cache}/.claude-plugin/plugin.json`]: json({ name: 'post', description: 'Everything for the post' }),
  [`${cache}/agents/clerk.md`]: '---\nname: clerk\ndescription: Answers at the counter\n---\nAnswer.',
  [`${cache}/skills/stamps/SKILL.md`]: '---\nname: stamps\ndescription: Chooses stamps\n---\nChoose.',
  [`${cache}/skills/stamps/notes.md`]: '---\nname: notes\ndescription: For the skill alone\n---\n',
  [`${cache}/commands/sort.md`]: '---\ndescription: Sorts letters\n---\nSort them.',
  [`${cache}/commands/count/all.md`]: '# Count every letter\nDo it.',
  [`${cache}/docs/agents.md`]: '---\nname: x\ndescription: A page of the manual\n---\n',
  [`${cache}/.mcp.json`]: json({
    mcpServers: {
      scales: { command: `${filledIn('CLAUDE_PLUGIN_ROOT')}/scales`, args: [filledIn('CLAUDE_PLUGIN_DATA')] },
      tracker: { type: 'http', url: 'https://post.test/mcp', headers: { K: filledIn('POST_KEY') } },
      asked: { command: 'x', env: { K: filledIn('user_config.key') } },
    },
  }),
}

/** A machine with this list of plugins, its folder `ROOT`, and these files besides. */
function machine(list: unknown, files: { readonly [path: string]: string } = plugin) {
  const root = folderWith(files)
  const path = join(root, 'home/.claude/plugins/installed_plugins.json')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, json(list).replaceAll('ROOT', root))
  return { root, path, user: { home: join(root, 'home'), platform: process.platform, env: {} } }
}

const list = (entry: object = {}) => ({
  version: 2,
  plugins: { 'post@office': [{ scope: 'user', installPath: `ROOT/${cache}`, version: '1.2.0', ...entry }] },
})

async function opened({ path, user }: ReturnType<typeof machine>, location = path) {
  const surroundings = {
    harvester: { harvest: () => Promise.reject(new Error('nothing is asked here')) },
    fetchDocument: () => Promise.reject(new Error('nothing is fetched here')),
    user,
    label: (one: string) => one,
  }
  const found = await openSources(location, surroundings, AbortSignal.timeout(9_000))
  const cards = await Promise.all(
    found.sources
      .filter(({ isLive }) => !isLive)
      .map(async (source) =>
        (await source.read(AbortSignal.timeout(9_000))).drafts.map(({ draft }) => draft),
      ),
  )
  return { ...found, cards: cards.flat() }
}

describe('an installed plugin', () => {
  test('is found by the list', () => {
    const { path, user } = machine(list())
    expect(discover({ ...user, cwd: '/nowhere' })).toMatchObject([
      { path, what: 'plugins of Claude Code', scope: 'home' },
    ])
  })

  test('gives its agents, skills, commands and itself as one source under its name', async () => {
    const one = machine(list())
    const { sources, cards } = await opened(one)
    expect(sources[0]).toMatchObject({ wantedId: 'post', location: `${one.path}#post@office`, isLive: false })
    expect(cards.map(({ name }) => name).sort()).toEqual(['clerk', 'count:all', 'post', 'sort', 'stamps'])
    expect(cards.find(({ name }) => name === 'count:all')).toMatchObject({
      agentKind: 'skill',
      description: 'Count every letter',
      instructions: expect.stringContaining('Do it.'),
    })
  })

  test('gives its servers under the names of Claude Code, in its folder', async () => {
    const one = machine(list())
    const { sources, problems } = await opened(one)
    expect(sources.slice(1).map(({ wantedId, location }) => [wantedId, location])).toEqual([
      ['plugin_post_scales', `${one.path}#plugin_post_scales`],
      ['plugin_post_tracker', `${one.path}#plugin_post_tracker`],
    ])
    expect(problems).toMatchObject([{ severity: 'warning', field: 'asked' }])
    const runtime = { kind: 'mcp', config: one.path, server: 'plugin_post_scales', tool: 'weigh' } as const
    const carded = { ...runtime, transport: 'stdio', display: '' } as const
    expect(configuredEntry(carded, one.user)).toMatchObject({
      config: one.path,
      launch: {
        command: join(one.root, cache, 'scales'),
        args: [join(one.root, 'home/.claude/plugins/data/post-office')],
      },
    })
  })

  test('is the same source in another version, and gone when the list names it no more', async () => {
    const next = cache.replace('1.2.0', '1.3.0')
    const moved = Object.fromEntries(
      Object.entries(plugin).map(([path, text]) => [path.replace(cache, next), text]),
    )
    const [before, after] = [machine(list()), machine(list({ installPath: `ROOT/${next}` }), moved)]
    const names = async (one: ReturnType<typeof machine>) =>
      (await opened(one)).sources.map(({ location }) => location.slice(one.root.length))
    expect(await names(after)).toEqual(await names(before))
    const none = await opened(machine({ version: 2, plugins: {} }))
    expect(none).toMatchObject({ sources: [], configs: [expect.any(String)] })
  })

  test('can be named alone', async () => {
    const one = machine(list())
    const { sources } = await opened(one, `${one.path}#post@office`)
    expect(sources.map(({ wantedId }) => wantedId)).toEqual(['post'])
  })

  test.each([
    {
      why: 'by the user',
      files: { 'home/.claude/settings.json': json({ enabledPlugins: { 'post@office': false } }) },
      entry: {},
      file: 'home/.claude/settings.json',
    },
    {
      why: 'by its project',
      files: {
        'app/.claude/settings.json': json({ enabledPlugins: { 'post@office': false } }),
        'home/.claude/settings.json': json({ enabledPlugins: { 'post@office': true } }),
      },
      entry: { scope: 'project', projectPath: 'ROOT/app' },
      file: 'app/.claude/settings.json',
    },
    {
      why: 'by its own manifest',
      files: { [`${cache}/.claude-plugin/plugin.json`]: json({ name: 'post', defaultEnabled: false }) },
      entry: {},
      file: `${cache}/.claude-plugin/plugin.json`,
    },
  ])('that is switched off $why is told once, and nothing of it is read', async ({ files, entry, file }) => {
    const one = machine(list(entry), { ...plugin, ...files } as Record<string, string>)
    const { sources, problems } = await opened(one)
    expect(sources).toEqual([])
    const message = `plugin "post@office" is switched off in ${join(one.root, file)}; it was not read`
    expect(problems.filter(({ field }) => field !== 'asked')).toMatchObject([
      { severity: 'warning', message },
    ])
  })

  test.each([
    {
      why: 'switched on where its manifest says off',
      files: {
        [`${cache}/.claude-plugin/plugin.json`]: json({ name: 'post', defaultEnabled: false }),
        'home/.claude/settings.json': json({ enabledPlugins: { 'post@office': true } }),
      },
    },
    { why: 'not named in settings that are broken', files: { 'home/.claude/settings.json': '{' } },
  ])('that is $why is read', async ({ files }) => {
    const { sources } = await opened(machine(list(), { ...plugin, ...files } as Record<string, string>))
    expect(sources.map(({ wantedId }) => wantedId)).toContain('post')
  })

  test('of the first version of the list is read', async () => {
    const old = { version: 1, plugins: { 'post@office': { installPath: `ROOT/${cache}`, isLocal: true } } }
    expect((await opened(machine(old))).cards).toHaveLength(5)
  })

  test('whose folder is gone is told', async () => {
    const { sources, problems } = await opened(machine(list({ installPath: 'ROOT/nowhere' })))
    expect(sources).toEqual([])
    expect(problems).toMatchObject([{ field: 'post@office', message: expect.stringContaining('is not at') }])
  })

  test('may name places of its own, and none outside of it', async () => {
    const manifest = { name: 'post', agents: './more/porter.md', commands: ['../../../../outside'] }
    const { cards } = await opened(
      machine(list(), {
        [`${cache}/.claude-plugin/plugin.json`]: json({
          ...manifest,
          mcpServers: { inline: { command: 'x' } },
        }),
        [`${cache}/more/porter.md`]: '---\nname: porter\ndescription: Carries\n---\n',
        'home/.claude/plugins/outside/leak.md': '---\ndescription: Not of the plugin\n---\n',
      }),
    )
    expect(cards.map(({ name }) => name).sort()).toEqual(['porter', 'post'])
  })
})

test('the list of anybody else is not followed', async () => {
  const { user } = machine(list())
  const root = folderWith({
    ...plugin,
    'repo/installed_plugins.json': json(list()).replaceAll('ROOT', '/'),
  })
  const path = join(root, 'repo/installed_plugins.json')
  const { sources, cards } = await opened({ root, path, user })
  expect(cards).toEqual([])
  const [source] = sources
  expect((await source!.read(AbortSignal.timeout(1_000))).problems).toMatchObject([
    { severity: 'error', message: expect.stringContaining('not your own list') },
  ])
})
