import { describe, expect, test } from 'vitest'
import { type Files, gitProject as project } from './git-project.ts'

const scripts = (of: Files): string => JSON.stringify({ name: 'tool', scripts: of })

describe('another person cannot change what a line runs by a name', () => {
  test.each<{
    what: string
    files: Files
    line: readonly string[]
    path: string
    env?: Files
    names: RegExp
  }>([
    {
      what: 'the line of `npm run`',
      files: { 'package.json': scripts({ serve: 'node server.js' }) },
      line: ['npm', 'run', '--silent', 'serve'],
      path: 'package.json',
      names: /^script "serve" of package\.json: node server\.js$/m,
    },
    {
      what: 'the file that the line of `npm run` names',
      files: { 'package.json': scripts({ serve: 'NODE_ENV=x node ./server.js --all' }), 'server.js': '1' },
      line: ['npm', 'run', 'serve'],
      path: 'server.js',
      names: /^script server\.js: /m,
    },
    {
      what: 'a line that runs before it',
      files: { 'package.json': scripts({ preserve: 'true', serve: 'node server.js' }) },
      line: ['pnpm', 'serve'],
      path: 'package.json',
      names: /^script "preserve" of package\.json: true$/m,
    },
    {
      what: 'a line that another line runs',
      files: { 'package.json': scripts({ start: 'npm run inner', inner: 'node deep.js' }), 'deep.js': '1' },
      line: ['npm', 'start'],
      path: 'deep.js',
      names: /^script "inner" of package\.json: node deep\.js$/m,
    },
    {
      what: 'the line of another folder',
      files: { 'app/package.json': scripts({ serve: 'node server.js' }), 'app/server.js': '1' },
      line: ['npm', '--prefix', 'app', 'run', 'serve'],
      path: 'app/server.js',
      names: /^script app\/server\.js: /m,
    },
    {
      what: 'a module of Python',
      files: { 'tool/__init__.py': '', 'tool/__main__.py': 'print(1)' },
      line: ['python3', '-u', '-m', 'tool'],
      path: 'tool/__main__.py',
      names: /^script tool\/__main__\.py: /m,
    },
    {
      what: 'the package around a module of Python, started by another program',
      files: { 'src/tool/__init__.py': '', 'src/tool/serve.py': 'print(1)' },
      line: ['uv', 'run', 'python', '-m', 'tool.serve'],
      env: { PYTHONPATH: 'src' },
      path: 'src/tool/__init__.py',
      names: /^script src\/tool\/serve\.py: /m,
    },
    {
      what: 'the file in which make looks',
      files: { Makefile: 'serve:\n\tnode server.js\n' },
      line: ['make', '-s', 'serve'],
      path: 'Makefile',
      names: /^script Makefile: /m,
    },
    {
      what: 'what a shell is told to start',
      files: { 'bin/run.sh': 'echo 1' },
      line: ['sh', '-c', 'cd . && exec "./bin/run.sh" --all'],
      path: 'bin/run.sh',
      names: /^script bin\/run\.sh: /m,
    },
    {
      what: 'a file that a script loads, two files away',
      files: {
        'server.js': "import { a } from './lib/a.js'",
        'lib/a.js': "export const a = require('../b')",
        'b/index.js': '1',
      },
      line: ['node', 'server.js'],
      path: 'b/index.js',
      names: /^loads lib\/a\.js: 1 line, sha256 \w{12}$/m,
    },
    {
      what: 'a source of TypeScript that is named as what it will be built to',
      files: { 'server.ts': "import './lib.js'", 'lib.ts': 'export {}' },
      line: ['tsx', 'server.ts'],
      path: 'lib.ts',
      names: /^loads lib\.ts: /m,
    },
    {
      what: 'a module that a Python file imports from beside it',
      files: {
        'run.py': 'import os, helper as h\nfrom parts.one import two',
        'helper.py': '',
        'parts/one.py': '1',
      },
      line: ['python3', 'run.py'],
      path: 'parts/one.py',
      names: /^loads helper\.py: /m,
    },
    {
      what: 'a module that one of a package imports by dots',
      files: {
        'tool/__init__.py': '',
        'tool/__main__.py': 'from . import core\nfrom .core import x',
        'tool/core.py': 'x = 1',
      },
      line: ['python3', '-m', 'tool'],
      path: 'tool/core.py',
      names: /^loads tool\/core\.py: /m,
    },
  ])('$what', ({ files, line, path, env, names }) => {
    const { write, bound } = project(files)
    const before = bound(line, env)
    expect(before.words.join('\n')).toMatch(names)
    write(path, path === 'package.json' ? scripts({ preserve: 'evil', serve: 'evil' }) : '# another\n')
    expect(bound(line, env).digest).not.toBe(before.digest)
  })

  test('a project of many files is told by few, and all of them count', () => {
    const names = Array.from({ length: 40 }, (_, at) => `lib/f${at}.js`)
    const { write, bound } = project({
      ...Object.fromEntries(names.map((name) => [name, '1'])),
      'server.js': names.map((name) => `import './${name}'`).join('\n'),
    })
    const before = bound(['node', 'server.js'])
    expect(before.words.filter((one) => one.startsWith('loads '))).toHaveLength(13)
    expect(before.words.at(-1)).toMatch(/^loads 28 more files: sha256 /)
    write('lib/f9.js', '2')
    expect(bound(['node', 'server.js']).digest).not.toBe(before.digest)
  })
})

describe('nobody is asked about what nobody else changes', () => {
  test.each<{ what: string; files: Files; line: readonly string[]; path: string }>([
    {
      what: 'a file that was built here',
      files: { 'server.js': "import './built/lib.js'", 'built/lib.js': '1' },
      line: ['node', 'server.js'],
      path: 'built/lib.js',
    },
    {
      what: 'another line of package.json',
      files: { 'package.json': scripts({ serve: 'true', preserve: 'true' }) },
      line: ['npm', 'run', 'preserve'],
      path: 'package.json',
    },
    {
      what: 'a file that the line does not lead to',
      files: { 'server.js': '1', 'other.js': '1', 'package.json': scripts({ test: 'node other.js' }) },
      line: ['node', 'server.js', 'run', 'it'],
      path: 'other.js',
    },
  ])('$what', ({ files, line, path }) => {
    const { write, bound } = project(files)
    const before = bound(line)
    write(path, path === 'package.json' ? scripts({ serve: 'changed', preserve: 'true' }) : '2')
    expect(bound(line).digest).toBe(before.digest)
  })

  test.each([
    [
      'a circle of lines',
      { 'package.json': scripts({ a: 'npm run b', b: 'npm run a' }) },
      ['npm', 'run', 'a'],
    ],
    ['a circle of files', { 'a.js': "import './b.js'", 'b.js': "import './a.js'" }, ['node', 'a.js']],
    ['a package.json that is broken', { 'package.json': '{' }, ['npm', 'run', 'a']],
    ['a name that every object has', { 'package.json': scripts({}) }, ['npm', 'run', 'constructor']],
    [
      'a line of many commands',
      { 'package.json': scripts({ a: 'npm run a;'.repeat(900) }) },
      ['npm', 'run', 'a'],
    ],
  ])('%s comes to an end', (_, files, line) => {
    expect(project(files).bound(line).words[0]).toMatch(/^program: /)
  })
})
