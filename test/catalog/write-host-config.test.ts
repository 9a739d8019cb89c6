import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Host, hostBlock, hostNames } from '../../src/catalog/host-block.ts'
import { HostConfigError, writeHostConfig } from '../../src/catalog/write-host-config.ts'
import { folderWith, temporaryFolder } from './temporary-folder.ts'

const launch = { command: 'npx', args: ['-y', 'audition-mcp', 'serve'], env: {} }
const surroundings = { cwd: '/projects/app', home: '/home/me', platform: 'linux' as const, env: {} }
const block = hostBlock('claude-code', launch, surroundings)

describe('hostBlock', () => {
  test.each([
    { host: 'claude-code' as const, path: '/projects/app/.mcp.json', servers: 'mcpServers' },
    {
      host: 'claude-desktop' as const,
      path: '/home/me/.config/Claude/claude_desktop_config.json',
      servers: 'mcpServers',
    },
    { host: 'vscode' as const, path: '/projects/app/.vscode/mcp.json', servers: 'servers' },
    { host: 'cursor' as const, path: '/projects/app/.cursor/mcp.json', servers: 'mcpServers' },
  ])('for $host goes into $path under $servers', ({ host, path, servers }) => {
    const { path: actual, text } = hostBlock(host, launch, surroundings)
    expect(actual).toBe(path)
    const type = host === 'vscode' ? { type: 'stdio' } : {}
    const entry = { ...type, command: 'npx', args: ['-y', 'audition-mcp', 'serve'] }
    expect(JSON.parse(text)).toEqual({ [servers]: { audition: entry } })
  })

  test('reads as a person would write it', () => {
    const { text } = hostBlock(
      'claude-code',
      { ...launch, args: ['serve'], env: { AUDITION_HOME: '/data' } },
      surroundings,
    )
    expect(text).toBe(`{
  "mcpServers": {
    "audition": {
      "command": "npx",
      "args": [
        "serve"
      ],
      "env": {
        "AUDITION_HOME": "/data"
      }
    }
  }
}
`)
  })

  test('knows Claude Desktop’s folder of each platform', () => {
    const path = (platform: NodeJS.Platform, home: string, env = {}) =>
      hostBlock('claude-desktop', launch, { cwd: '/', home, platform, env }).path
    expect(path('darwin', '/Users/me')).toBe(
      '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
    )
    expect(path('win32', 'C:\\Users\\me', { APPDATA: 'D:\\Roaming' })).toBe(
      'D:\\Roaming\\Claude\\claude_desktop_config.json',
    )
  })
})

/** Writes the text, puts the block in, gives what the file says then. */
async function written(text: string, onConflict?: 'refuse' | 'replace'): Promise<string> {
  const path = join(folderWith({ 'mcp.json': text }), 'mcp.json')
  await writeHostConfig(path, block, onConflict)
  return readFileSync(path, 'utf8')
}

const entryLines = (indent: string, unit: string, lineEnd = '\n') =>
  JSON.stringify(block.entry, null, unit).replaceAll('\n', lineEnd + indent)

describe('writeHostConfig', () => {
  test.each([
    {
      why: 'other servers',
      before:
        '{\n  "mcpServers": {\n    "b": { "command": "b" },\n    "a": {"command":   "a"}\n  },\n  "z": 1\n}\n',
      after: `{\n  "mcpServers": {\n    "b": { "command": "b" },\n    "a": {"command":   "a"},\n    "audition": ${entryLines('    ', '  ')}\n  },\n  "z": 1\n}\n`,
    },
    {
      why: 'tabs',
      before: '{\n\t"mcpServers": {\n\t\t"a": {}\n\t}\n}',
      after: `{\n\t"mcpServers": {\n\t\t"a": {},\n\t\t"audition": ${entryLines('\t\t', '\t')}\n\t}\n}`,
    },
    {
      why: 'four spaces',
      before: '{\n    "mcpServers": {\n        "a": {}\n    }\n}',
      after: `{\n    "mcpServers": {\n        "a": {},\n        "audition": ${entryLines('        ', '    ')}\n    }\n}`,
    },
    {
      why: 'Windows line ends and a byte-order mark',
      before: '\ufeff{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
      after: `\ufeff{\r\n  "mcpServers": {\r\n    "a": {},\r\n    "audition": ${entryLines('    ', '  ', '\r\n')}\r\n  }\r\n}\r\n`,
    },
    {
      why: 'comments before, between and behind',
      before:
        '// top\n{\n  "mcpServers": {\n    /* one */ "x": 1,\n    "a": {} // keep, please\n    // nothing more\n  } // end\n}\n// bottom',
      after: `// top\n{\n  "mcpServers": {\n    /* one */ "x": 1,\n    "a": {}, // keep, please\n    "audition": ${entryLines('    ', '  ')}\n    // nothing more\n  } // end\n}\n// bottom`,
    },
    {
      why: 'a trailing comma, which stays one',
      before: '{\n  "mcpServers": {\n    "a": {}, // note\n  },\n}\n',
      after: `{\n  "mcpServers": {\n    "a": {}, // note\n    "audition": ${entryLines('    ', '  ')},\n  },\n}\n`,
    },
    {
      why: 'no servers yet',
      before: '{\n  "mcpServers": {}\n}\n',
      after: `{\n  "mcpServers": {\n    "audition": ${entryLines('    ', '  ')}\n  }\n}\n`,
    },
    {
      why: 'no servers but a comment',
      before: '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
      after: `{\n  "mcpServers": {\n    "audition": ${entryLines('    ', '  ')}\n    // none yet\n  }\n}\n`,
    },
    {
      why: 'settings, but no list of servers',
      before: '{\n  "theme": "dark"\n}\n',
      after: `{\n  "theme": "dark",\n  "mcpServers": ${JSON.stringify({ audition: block.entry }, null, '  ').replaceAll('\n', '\n  ')}\n}\n`,
    },
    {
      why: 'all on one line',
      before: '{"mcpServers":{"a":{"command":"a"}},"z":1}',
      after: `{"mcpServers":{"a":{"command":"a"}, "audition": ${JSON.stringify(block.entry)}},"z":1}`,
    },
    { why: 'nothing', before: '', after: block.text },
    {
      why: 'an empty object',
      before: '{}',
      after: `{\n  "mcpServers": ${JSON.stringify({ audition: block.entry }, null, '  ').replaceAll('\n', '\n  ')}\n}`,
    },
    { why: 'white space', before: '\n', after: `\n${block.text}` },
    { why: 'a comment alone', before: '// my servers', after: `// my servers\n${block.text}` },
  ])('adds the entry and leaves the rest byte for byte in a file with $why', async ({ before, after }) => {
    expect(await written(before)).toBe(after)
  })

  test('changes nothing when the entry is there already, whatever its layout', async () => {
    const text = `{"mcpServers": {"audition": ${JSON.stringify(block.entry)} /* mine */ } }`
    const path = join(folderWith({ 'mcp.json': text }), 'mcp.json')
    expect(await writeHostConfig(path, block)).toEqual({ outcome: 'unchanged', path })
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(readdirSync(dirname(path))).toEqual(['mcp.json'])
  })

  const conflicting =
    '{\n  "mcpServers": {\n    "audition": { "command": "old" }, // mine\n    "b": {}\n  }\n}\n'

  test('refuses to overwrite another entry of our name', async () => {
    await expect(written(conflicting)).rejects.toThrow(
      /mcp\.json: there is another entry "audition" in "mcpServers"\. Pass --replace/,
    )
  })

  test('replaces it, and nothing else, when told to', async () => {
    expect(await written(conflicting, 'replace')).toBe(
      `{\n  "mcpServers": {\n    "audition": ${entryLines('    ', '  ')}, // mine\n    "b": {}\n  }\n}\n`,
    )
  })

  test.each([
    {
      why: 'is cut off',
      text: '{\n  "mcpServers": {\n',
      says: 'line 3 is not valid JSON (CloseBraceExpected)',
    },
    { why: 'is no JSON', text: 'servers:\n  - a\n', says: 'line 1 is not valid JSON (InvalidSymbol)' },
    { why: 'has two values', text: '{} {}', says: 'line 1 is not valid JSON (EndOfFileExpected)' },
    { why: 'is a list', text: '[]', says: 'holds no JSON object' },
    { why: 'has a list for servers', text: '{"mcpServers": []}', says: '"mcpServers" is no object' },
    {
      why: 'has its servers twice',
      text: '{"mcpServers": {}, "mcpServers": {}}',
      says: 'cannot be edited safely',
    },
  ])('refuses a file that $why, and writes nothing', async ({ text, says }) => {
    const path = join(folderWith({ 'mcp.json': text }), 'mcp.json')
    const attempt = writeHostConfig(path, block)
    await expect(attempt).rejects.toThrow(HostConfigError)
    await expect(attempt).rejects.toThrow(says)
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(readdirSync(dirname(path))).toEqual(['mcp.json'])
  })

  test('refuses a file that is not UTF-8', async () => {
    const path = join(temporaryFolder(), 'mcp.json')
    writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]))
    await expect(writeHostConfig(path, block)).rejects.toThrow('mcp.json: is not UTF-8. Save it as UTF-8')
    expect(readFileSync(path)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]))
  })

  test('refuses a read-only file, whoever runs it', async () => {
    const path = join(folderWith({ 'mcp.json': '{}' }), 'mcp.json')
    chmodSync(path, 0o444)
    await expect(writeHostConfig(path, block)).rejects.toThrow('mcp.json is read-only. Make it writable')
    expect(readFileSync(path, 'utf8')).toBe('{}')
    expect(readdirSync(dirname(path))).toEqual(['mcp.json'])
  })

  test('refuses a folder in place of the file', async () => {
    await expect(writeHostConfig(temporaryFolder(), block)).rejects.toThrow('cannot be read (EISDIR)')
  })

  test('says so when the folder cannot be made', async () => {
    const path = join(folderWith({ file: '' }), 'file', 'mcp.json')
    await expect(writeHostConfig(path, block)).rejects.toThrow(/cannot be (?:read|written) \(ENOTDIR\)/)
  })

  test('makes the file and its folders when there is none', async () => {
    const path = join(temporaryFolder(), 'a', 'b', 'mcp.json')
    expect(await writeHostConfig(path, block)).toEqual({ outcome: 'created', path })
    expect(readFileSync(path, 'utf8')).toBe(block.text)
    expect(readdirSync(dirname(path))).toEqual(['mcp.json'])
  })

  test('keeps the file as it was in a .bak, which later changes leave alone', async () => {
    const path = join(folderWith({ 'mcp.json': '{"a": 1}' }), 'mcp.json')
    chmodSync(path, 0o600)
    expect(await writeHostConfig(path, block)).toEqual({ outcome: 'added', path, backup: `${path}.bak` })
    await writeHostConfig(path, { ...block, entry: { command: 'other', args: [] } }, 'replace')
    expect(readFileSync(`${path}.bak`, 'utf8')).toBe('{"a": 1}')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(`${path}.bak`).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(path)).sort()).toEqual(['mcp.json', 'mcp.json.bak'])
  })

  test('writes through a link, which stays one', async () => {
    const folder = folderWith({ 'dotfiles/mcp.json': '{}' })
    const link = join(folder, 'link.json')
    symlinkSync(join(folder, 'dotfiles/mcp.json'), link)
    const { path } = await writeHostConfig(link, block)
    expect(path).toBe(join(folder, 'dotfiles/mcp.json'))
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(JSON.parse(readFileSync(link, 'utf8'))).toEqual(JSON.parse(block.text))
  })

  test.each([
    { why: 'an absolute one', folders: [], links: { 'mcp.json': '$/dotfiles/mcp.json' } },
    { why: 'a relative one', folders: ['dotfiles'], links: { 'mcp.json': 'dotfiles/mcp.json' } },
    {
      why: 'a chain of them',
      folders: ['dotfiles'],
      links: { 'mcp.json': 'next.json', 'next.json': 'dotfiles/mcp.json' },
    },
    {
      why: 'a relative one in a folder that is a link itself',
      folders: ['a', 'a/real', 'dotfiles'],
      links: { linked: 'a/real', 'a/real/mcp.json': '../../dotfiles/mcp.json' },
      path: 'linked/mcp.json',
    },
  ])('makes the file that a link leads to, $why, which stays a link', async ({ folders, links, path }) => {
    const folder = temporaryFolder()
    for (const name of folders) mkdirSync(join(folder, name))
    for (const [name, to] of Object.entries(links)) symlinkSync(to.replace('$', folder), join(folder, name))
    const link = join(folder, path ?? 'mcp.json')
    const target = join(folder, 'dotfiles/mcp.json')
    expect(await writeHostConfig(link, block)).toEqual({ outcome: 'created', path: target })
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(target, 'utf8')).toBe(block.text)
  })

  test('refuses a link that leads to itself', async () => {
    const link = join(temporaryFolder(), 'mcp.json')
    symlinkSync(link, link)
    await expect(writeHostConfig(link, block)).rejects.toThrow('cannot be read (ELOOP)')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  })

  test.each(hostNames)('can write the block of %s', async (host: Host) => {
    const path = join(temporaryFolder(), basename(hostBlock(host, launch, surroundings).path))
    await writeHostConfig(path, hostBlock(host, launch, surroundings))
    expect(existsSync(path)).toBe(true)
  })

  test('any configuration keeps what it said, and every character of it in order', async () => {
    const path = join(temporaryFolder(), 'mcp.json')
    const config = fc.record(
      {
        mcpServers: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
        other: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: [] },
    )
    const layout = fc.constantFrom(undefined, 1, 2, 4, '\t')
    await fc.assert(
      fc.asyncProperty(config, layout, async (value, indent) => {
        const before = JSON.stringify(value, null, indent)
        fc.pre(value.mcpServers === undefined || !Object.hasOwn(value.mcpServers, 'audition'))
        writeFileSync(path, before)
        await writeHostConfig(path, block)
        const after = readFileSync(path, 'utf8')
        const expected = JSON.parse(before)
        expected.mcpServers ??= {}
        expected.mcpServers.audition = block.entry
        expect(JSON.parse(after)).toEqual(expected)
        expect(isSubsequence(before, after)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

/** Whether the characters of one text stand in the other in the same order. */
function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (const character of whole) if (character === part[at]) at++
  return at === part.length
}
