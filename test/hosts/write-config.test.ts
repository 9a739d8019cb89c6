import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostBlock } from '../../src/hosts/block.ts'
import { claudeCode } from '../../src/hosts/known/claude-code.ts'
import { HostConfigError, keptConfigsIn } from '../../src/hosts/writing/replace-file.ts'
import { undoHostConfig, writeHostConfig } from '../../src/hosts/writing/write-config.ts'
import { folderWith, temporaryFolder } from '../catalog/temporary-folder.ts'

const launch = { command: '/opt/node', args: ['/opt/audition/main.js', 'serve'], env: {} }
const place = { cwd: '/projects/app', home: '/home/me', platform: 'linux' as const, env: {} }
const block = hostBlock(claudeCode, launch, { place })

/** Puts a block into a file; what is kept lies elsewhere. */
const write = (
  path: string,
  what: typeof block = block,
  onConflict?: 'refuse' | 'replace',
  kept = keptConfigsIn(temporaryFolder()),
) => writeHostConfig({ ...what, path }, kept, onConflict)

/** Writes the text, puts the block in, gives what the file says then. */
async function written(text: string, onConflict?: 'refuse' | 'replace'): Promise<string> {
  const path = join(folderWith({ 'mcp.json': text }), 'mcp.json')
  await write(path, block, onConflict)
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
    expect(await write(path)).toEqual({ outcome: 'unchanged', path })
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(readdirSync(dirname(path))).toEqual(['mcp.json'])
  })

  const conflicting =
    '{\n  "mcpServers": {\n    "audition": { "command": "old" }, // mine\n    "b": {}\n  }\n}\n'

  test('refuses to overwrite another entry of our name', async () => {
    await expect(written(conflicting)).rejects.toThrow(
      /mcp\.json: there is another entry "audition" in "mcpServers"\./,
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
    const attempt = write(path)
    await expect(attempt).rejects.toThrow(HostConfigError)
    await expect(attempt).rejects.toThrow(says)
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(readdirSync(dirname(path))).toEqual(['mcp.json'])
  })

  test('refuses a file that is not UTF-8', async () => {
    const path = join(temporaryFolder(), 'mcp.json')
    writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]))
    await expect(write(path)).rejects.toThrow('mcp.json: is not UTF-8.')
    expect(readFileSync(path)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]))
  })

  test('refuses a read-only file, whoever runs it', async () => {
    const path = join(folderWith({ 'mcp.json': '{}' }), 'mcp.json')
    chmodSync(path, 0o444)
    await expect(write(path)).rejects.toThrow('mcp.json is read-only.')
    expect(readFileSync(path, 'utf8')).toBe('{}')
    expect(readdirSync(dirname(path))).toEqual(['mcp.json'])
  })

  test('refuses a folder in place of the file', async () => {
    await expect(write(temporaryFolder())).rejects.toThrow('cannot be read (EISDIR)')
  })

  test('says so when the folder cannot be made', async () => {
    const path = join(folderWith({ file: '' }), 'file', 'mcp.json')
    await expect(write(path)).rejects.toThrow(/cannot be (?:read|written) \(ENOTDIR\)/)
  })

  test('makes the file and its folders when there is none', async () => {
    const path = join(temporaryFolder(), 'a', 'b', 'mcp.json')
    expect(await write(path)).toMatchObject({ outcome: 'created', path })
    expect(readFileSync(path, 'utf8')).toBe(block.text)
    expect(readdirSync(dirname(path))).toEqual(['mcp.json'])
  })

  test('leaves nothing beside the file, whose permissions stay', async () => {
    const path = join(folderWith({ 'mcp.json': '{"a": 1}' }), 'mcp.json')
    chmodSync(path, 0o600)
    await write(path)
    await write(path, { ...block, entry: { command: 'other', args: [] } }, 'replace')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(path))).toEqual(['mcp.json'])
  })

  test('writes through a link, which stays one', async () => {
    const folder = folderWith({ 'dotfiles/mcp.json': '{}' })
    const link = join(folder, 'link.json')
    symlinkSync(join(folder, 'dotfiles/mcp.json'), link)
    const { path } = await write(link)
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
    expect(await write(link)).toMatchObject({ outcome: 'created', path: target })
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(target, 'utf8')).toBe(block.text)
  })

  test('refuses a link that leads to itself', async () => {
    const link = join(temporaryFolder(), 'mcp.json')
    symlinkSync(link, link)
    await expect(write(link)).rejects.toThrow('cannot be read (ELOOP)')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
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
        await write(path)
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

describe('undoHostConfig', () => {
  const other = { ...block, entry: { command: 'other', args: [] } }
  const undo = (path: string, kept: ReturnType<typeof keptConfigsIn>) =>
    undoHostConfig({ ...block, path }, kept)
  const secret = 'sk-live-4815162342'
  const before = `{\n\t"mcpServers": { "a": {"env": {"KEY": "${secret}"}} } // mine\n}`

  test.each([
    { why: 'one write', blocks: [block] },
    { why: 'two writes of ours', blocks: [block, other] },
  ])('puts the file back as it was before $why, and keeps nothing of it', async ({ blocks }) => {
    const folder = temporaryFolder()
    const kept = keptConfigsIn(folder)
    const path = join(folderWith({ 'mcp.json': before }), 'mcp.json')
    for (const one of blocks) await write(path, one, 'replace', kept)
    const [file] = readdirSync(folder)
    expect(statSync(join(folder, file!)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(await undo(path, kept)).toEqual({ outcome: 'restored', path })
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(readdirSync(folder)).toEqual([])
    expect(readdirSync(dirname(path))).toEqual(['mcp.json'])
  })

  test('takes a file and the folders that we made away again', async () => {
    const root = temporaryFolder()
    const kept = keptConfigsIn(temporaryFolder())
    const path = join(root, 'a', 'b', 'mcp.json')
    await write(path, block, 'refuse', kept)
    expect(await undo(path, kept)).toEqual({ outcome: 'restored', path })
    expect(readdirSync(root)).toEqual([])
  })

  test('leaves folders that hold something else by then', async () => {
    const root = temporaryFolder()
    const kept = keptConfigsIn(temporaryFolder())
    const path = join(root, 'a', 'b', 'mcp.json')
    await write(path, block, 'refuse', kept)
    writeFileSync(join(root, 'a', 'notes'), '')
    await undo(path, kept)
    expect(readdirSync(join(root, 'a'))).toEqual(['notes'])
  })

  test('of a file that others changed since takes our entry out, and nothing else', async () => {
    const kept = keptConfigsIn(temporaryFolder())
    const path = join(folderWith({ 'mcp.json': before }), 'mcp.json')
    await write(path, block, 'refuse', kept)
    writeFileSync(path, readFileSync(path, 'utf8').replace('"a":', '"b":'))
    expect(await undo(path, kept)).toEqual({ outcome: 'removed', path })
    expect(readFileSync(path, 'utf8')).toBe(before.replace('"a":', '"b":'))
  })

  test('of a file that others changed since puts an entry back that we replaced', async () => {
    const kept = keptConfigsIn(temporaryFolder())
    const replaced = '{"mcpServers": {"audition": {"command": "mine"}}, "z": 1}'
    const path = join(folderWith({ 'mcp.json': replaced }), 'mcp.json')
    await write(path, block, 'replace', kept)
    writeFileSync(path, readFileSync(path, 'utf8').replace('"z": 1', '"z": 2'))
    expect(await undo(path, kept)).toEqual({ outcome: 'removed', path })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      mcpServers: { audition: { command: 'mine' } },
      z: 2,
    })
  })

  test('takes out an entry of which nothing is kept any more', async () => {
    const path = join(temporaryFolder(), 'mcp.json')
    writeFileSync(path, block.text)
    expect(await undo(path, keptConfigsIn(temporaryFolder()))).toEqual({ outcome: 'removed', path })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ mcpServers: {} })
  })

  test.each([{ files: {} }, { files: { 'mcp.json': '{"mcpServers": {}}' } }])(
    'has nothing to do in $files',
    async ({ files }) => {
      const path = join(folderWith(files as Record<string, string>), 'mcp.json')
      expect(await undo(path, keptConfigsIn(temporaryFolder()))).toEqual({ outcome: 'absent', path })
    },
  )

  test('refuses a file that was broken since, and leaves it', async () => {
    const kept = keptConfigsIn(temporaryFolder())
    const path = join(folderWith({ 'mcp.json': '{}' }), 'mcp.json')
    await write(path, block, 'refuse', kept)
    writeFileSync(path, '{ "mcpServers"')
    await expect(undo(path, kept)).rejects.toThrow(HostConfigError)
    expect(readFileSync(path, 'utf8')).toBe('{ "mcpServers"')
  })

  test('any configuration is the same to the byte after a write and its undoing', async () => {
    const path = join(temporaryFolder(), 'mcp.json')
    const kept = keptConfigsIn(temporaryFolder())
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
        fc.pre(value.mcpServers === undefined)
        const text = JSON.stringify(value, null, 1)
        writeFileSync(path, text)
        await write(path, block, 'refuse', kept)
        await undo(path, kept)
        expect(readFileSync(path, 'utf8')).toBe(text)
      }),
      { numRuns: 40 },
    )
  })
})

test('a host that writes its own file at the same time loses nothing', async () => {
  const path = join(folderWith({ 'mcp.json': '{"n": 0}' }), 'mcp.json')
  const folder = temporaryFolder()
  const own = keptConfigsIn(folder)
  let times = 0
  // The host writes between our reading and our renaming, twice.
  const kept = {
    ...own,
    keep: (config: Parameters<typeof own.keep>[0]) => {
      times += 1
      if (times <= 2) writeFileSync(path, JSON.stringify({ n: times }))
      return own.keep(config)
    },
  }
  expect(await writeHostConfig({ ...block, path }, kept)).toMatchObject({ outcome: 'added' })
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ n: 2, mcpServers: { audition: block.entry } })
})

/** Whether the characters of one text stand in the other in the same order. */
function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (const character of whole) if (character === part[at]) at++
  return at === part.length
}
