import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { launchDifference } from '../../../src/trust/launches/bound-launch.ts'
import { type Files, gitProject } from './git-project.ts'

/** A line, the file behind it that somebody changes or adds, and what it says then. */
type Row = {
  readonly line: string
  readonly files: Files
  readonly path: string
  readonly to?: string
  readonly env?: Files
}

const packageJson = (of: object): string => JSON.stringify(of)

const serve = packageJson({ name: 'pk', scripts: { x: 'node a.js' } })
const evil = packageJson({ name: 'pk', scripts: { x: 'node b.js' } })
const python = { 'D/x.py': 'print(1)' }

const node: readonly Row[] = [
  { line: 'node ne/app', files: { 'ne/app.js': '1' }, path: 'ne/app.js' },
  { line: 'node ne/app', files: { 'ne/app.js': '1' }, path: 'ne/app' },
  {
    line: 'node --no-warnings ne/app',
    files: { 'ne/app.cjs': '1', 'ne/app.json': '1' },
    path: 'ne/app.json',
  },
  { line: 'node nd', files: { 'nd/index.js': '1' }, path: 'nd/index.js' },
  { line: 'node nd', files: { 'nd/index.js': '1' }, path: 'nd/package.json', to: '{"main":"built.js"}' },
  {
    line: 'node .',
    files: { 'package.json': '{"main":"lib/a"}', 'lib/a.js': '1' },
    path: 'lib/a.js',
  },
  {
    line: 'node nd',
    files: { 'nd/package.json': '{"main":"a.js"}', 'nd/a.js': '1', 'nd/b.js': '2' },
    path: 'nd/package.json',
    to: '{"main":"b.js"}',
  },
  {
    line: 'node s.js',
    files: { 's.js': "require('./lib')", 'lib/package.json': '{"main":"a.js"}', 'lib/a.js': '1' },
    path: 'lib/a.js',
  },
  { line: 'node lib/s.js', files: { 'lib/s.js': "require('..')", 'index.js': '1' }, path: 'index.js' },
  { line: 'node -r ./pre s.js', files: { 's.js': '1', 'pre.js': '1' }, path: 'pre.js' },
  { line: 'node --import FILE:s.mjs', files: { 's.mjs': '1' }, path: 's.mjs' },
  { line: 'node --import=FILE:s.mjs t.mjs', files: { 's.mjs': '1', 't.mjs': '1' }, path: 's.mjs' },
  { line: 'sh -c "node ne/app"', files: { 'ne/app.js': '1' }, path: 'ne/app.js' },
  { line: 'uv run node ne/app', files: { 'ne/app.js': '1' }, path: 'ne/app.js' },
  {
    line: 'bin/s',
    files: { 'bin/s': "#!/usr/bin/env node\nrequire('./a')", 'bin/a.js': '1' },
    path: 'bin/a.js',
  },
  ...["path.join(__dirname, 'lib', 'a')", "resolve(import.meta.dirname, 'lib/a.js')", "here('lib/a.js')"].map(
    (said) => ({
      line: 'node s.js',
      files: { 's.js': `load(${said})`, 'lib/a.js': '1' },
      path: 'lib/a.js',
    }),
  ),
  { line: 'tsx src/server', files: { 'src/server.ts': '1' }, path: 'src/server.ts' },
]

const pythonRows: readonly Row[] = [
  { line: 'python3 pydir', files: { 'pydir/__main__.py': '1' }, path: 'pydir/__main__.py' },
  ...['deep/sub/__init__.py', 'deep/__init__.py', 'deep/sub/mod.py'].map((path) => ({
    line: 'python3 app.py',
    files: {
      'app.py': 'import os,deep.sub.mod as m',
      'deep/__init__.py': '',
      'deep/sub/__init__.py': '',
      'deep/sub/mod.py': '',
    },
    path,
  })),
  {
    line: 'python3 app.py',
    files: { 'app.py': 'import helper', 'helper.py': '' },
    path: 'helper/__init__.py',
  },
  {
    line: 'python3 app.py',
    files: { 'app.py': 'from pkg.a import x', 'pkg/a.py': 'from pkg.b import x', 'pkg/b.py': 'x = 1' },
    path: 'pkg/b.py',
  },
  {
    line: 'python3 app.py',
    files: { 'app.py': 'from pkg import (  # all\n  a,\n  b,\n)', 'pkg/a.py': '', 'pkg/b.py': '' },
    path: 'pkg/b.py',
  },
  { line: 'python3 app.py', files: { 'app.py': 'import os; import b', 'b.py': '' }, path: 'b.py' },
  {
    line: 'python3 app.py',
    files: { 'app.py': 'import m', 'lib/m.py': '' },
    path: 'lib/m.py',
    env: { PYTHONPATH: 'lib' },
  },
  ...[
    "sys.path.insert(0, join(dirname(__file__), 'src'))\nimport b",
    "sys.path.append(Path(__file__).parent / 'src')\nimport b",
  ].map((said) => ({ line: 'python3 app.py', files: { 'app.py': said, 'src/b.py': '' }, path: 'src/b.py' })),
  ...["importlib.import_module('b')", "__import__('b')", "runpy.run_path('b.py')"].map((said) => ({
    line: 'python3 app.py',
    files: { 'app.py': said, 'b.py': '' },
    path: 'b.py',
  })),
  { line: 'uv --directory D run x.py', files: python, path: 'D/x.py' },
  { line: 'uv --directory=D run x.py', files: python, path: 'D/x.py' },
  { line: 'uv run --directory D x.py', files: python, path: 'D/x.py' },
  { line: 'uv run --directory D python -m x', files: python, path: 'D/x.py' },
  {
    line: 'uv --directory D run my-server',
    files: {
      'D/pyproject.toml': '[project.scripts]\nmy-server = "my_server.cli:main"\n',
      'D/src/my_server/cli.py': '',
    },
    path: 'D/src/my_server/cli.py',
  },
  { line: 'uv run --directory D -m x', files: python, path: 'D/x.py' },
  {
    line: 'uvx --from ./D my-server',
    files: { 'D/pyproject.toml': '[project.scripts]\nmy-server = "m:main"\n', 'D/src/m/__init__.py': '' },
    path: 'D/src/m/__init__.py',
  },
  {
    line: 'python3 app.py',
    files: { 'app.py': 'import b', 'b.py': '' },
    path: '__pycache__/b.cpython-311.pyc',
  },
  { line: 'uv run x.py', files: { 'x.py': '', 'pyproject.toml': '' }, path: 'pyproject.toml' },
]

const packages: readonly Row[] = [
  ...['-w pk', '--workspace=pk', '--workspace pk', '-w packages/pk', '--workspaces'].map((option) => ({
    line: `npm run x ${option}`,
    files: {
      'package.json': packageJson({ workspaces: ['packages/*'] }),
      'packages/pk/package.json': serve,
    },
    path: 'packages/pk/package.json',
    to: evil,
  })),
  { line: 'npm run x -w pk', files: { 'pk/package.json': serve, 'pk/a.js': '1' }, path: 'pk/a.js' },
  {
    line: 'pnpm --filter pk run x',
    files: {
      'package.json': '{}',
      'pnpm-workspace.yaml': 'packages:\n  - "apps/*"\n',
      'apps/a/package.json': serve,
    },
    path: 'apps/a/package.json',
    to: evil,
  },
  {
    line: 'yarn workspace pk x',
    files: { 'package.json': packageJson({ workspaces: ['apps/*'] }), 'apps/a/package.json': serve },
    path: 'apps/a/package.json',
    to: evil,
  },
  { line: 'npm run x', files: { 'package.json': serve }, path: '.npmrc', to: 'script-shell=./evil\n' },
  { line: 'npx thing', files: { '.npmrc': 'a=b' }, path: '.npmrc', to: 'node-options=--require=./e.cjs' },
  ...['npm --loglevel silent run x', 'npm run --loglevel silent x', 'bun x', 'deno task x'].map((line) => ({
    line,
    files: { 'package.json': serve },
    path: 'package.json',
    to: evil,
  })),
  { line: 'npm t', files: { 'package.json': '{"scripts":{"test":"node a.js"}}', 'a.js': '' }, path: 'a.js' },
  { line: 'npx pk', files: { 'package.json': '{"name":"@a/pk","bin":"a.js"}', 'a.js': '' }, path: 'a.js' },
  { line: 'npx ./d', files: { 'd/package.json': '{"bin":{"z":"./a.js"}}', 'd/a.js': '' }, path: 'd/a.js' },
  { line: 'bun run x.ts', files: { 'x.ts': '' }, path: 'bunfig.toml', to: 'preload = ["./e.ts"]' },
]

const others: readonly Row[] = [
  { line: 'make -s -fmf/x.mk serve', files: { 'mf/x.mk': 'serve:' }, path: 'mf/x.mk' },
  { line: 'make -sfmf/x.mk serve', files: { 'mf/x.mk': 'serve:' }, path: 'mf/x.mk' },
  { line: 'make -C d -f x.mk', files: { 'd/x.mk': 'serve:' }, path: 'd/x.mk' },
  {
    line: 'node s.js',
    files: { 's.js': '1', 'pre.cjs': '1' },
    path: 'pre.cjs',
    env: { NODE_OPTIONS: '--require ./pre.cjs' },
  },
  {
    line: 'node s.js',
    files: { 's.js': '1', 'pre.mjs': '1' },
    path: 'pre.mjs',
    env: { NODE_OPTIONS: '--max-old-space-size=99 --import=./pre.mjs' },
  },
  {
    line: 'uvx thing',
    files: { 'lib/sitecustomize.py': '' },
    path: 'lib/sitecustomize.py',
    env: { PYTHONPATH: 'lib' },
  },
  {
    line: 'perl s.pl',
    files: { 's.pl': '', 'lib/My/Pre.pm': '' },
    path: 'lib/My/Pre.pm',
    env: { PERL5OPT: '-Ilib -MMy::Pre=x' },
  },
  { line: 'bash s.sh', files: { 's.sh': '', 'b.sh': '' }, path: 'b.sh', env: { BASH_ENV: './b.sh' } },
  { line: 'sh -c "cd d && ./x.sh"', files: { 'd/x.sh': '' }, path: 'd/x.sh' },
  ...[
    'exec python3 $PWD/D/x.py',
    'exec python3 $(pwd)/D/x.py',
    'D=D; exec python3 $D/x.py',
    'A=D/x.py && python3 $A',
    'D=D; python3 $D/x.py; D=E; python3 $D/x.py',
    'if true; then D=E; else D=D; fi; python3 $D/x.py',
    'if true; then D=D; else D=E; fi; python3 $D/x.py',
  ].map((said) => ({ line: `sh -c "${said}"`, files: python, path: 'D/x.py' })),
  { line: 'sh s.sh', files: { 's.sh': '. ./lib.sh', 'lib.sh': '' }, path: 'lib.sh' },
  {
    line: 'bin/s',
    files: { 'bin/s': '#!/bin/sh\nsource "$(dirname "$0")/lib.sh"', 'bin/lib.sh': '' },
    path: 'bin/lib.sh',
  },
  { line: 'sh s.sh', files: { 's.sh': 'cd D\nexec python -m x', ...python }, path: 'D/x.py' },
  { line: 'sh s.sh', files: { 's.sh': 'uv --directory D run x.py', ...python }, path: 'D/x.py' },
  { line: 'sh s.sh', files: { 's.sh': 'npm run x', 'package.json': serve }, path: 'package.json', to: evil },
  { line: 'make serve', files: { Makefile: 'include x.mk\nserve:', 'x.mk': '' }, path: 'x.mk' },
  { line: 'make serve', files: { Makefile: 'serve:\n\t$(MAKE) -C d', 'd/Makefile': '' }, path: 'd/Makefile' },
  { line: 'make serve', files: { Makefile: 'serve:\n\tnode ne/app', 'ne/app.js': '' }, path: 'ne/app.js' },
  { line: 'sh s.sh', files: { 's.sh': 'exec node "$HERE/a.js"', 'a.js': '' }, path: 'a.js' },
]

/** Files that the line does not run. */
const free: readonly Row[] = [
  { line: 'node s.js docs', files: { 's.js': '1', 'docs/index.js': '1' }, path: 'docs/index.js' },
  {
    line: 'node nd',
    files: { 'nd/package.json': '{"main":"a.js"}', 'nd/a.js': '1' },
    path: 'nd/package.json',
    to: '{"main":"a.js","version":"2"}',
  },
  { line: 'node s.js', files: { 's.js': '1' }, path: '.npmrc', to: 'a=b' },
  { line: 'python3 a.py data', files: { 'a.py': '', 'data/__main__.py': '' }, path: 'data/__main__.py' },
  {
    line: 'npm run x -w pk',
    files: { 'package.json': evil, 'pk/package.json': serve },
    path: 'package.json',
    to: '{}',
  },
  { line: 'uv --directory D run x.py', files: { ...python, 'x.py': '' }, path: 'E/x.py' },
  { line: 'node s.js', files: { 's.js': "read('a.md')", 'a.md': '', 'a.js': '' }, path: 'a.js' },
  { line: 'sh s.sh', files: { 's.sh': 'cat docs/x.md', 'docs/x.md': '' }, path: 'docs/x.md' },
]

/** Words of a line, with what stands in quotation marks as one. */
const wordsOf = (line: string, folder: string): readonly string[] =>
  (line.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
    word
      .replaceAll('"', '')
      .replace(/FILE:(.*)/, (_, path: string) => pathToFileURL(join(folder, path)).href),
  )

describe.each(Object.entries({ node, python: pythonRows, packages, others }))('%s', (_, rows) => {
  test.each(rows.map((row) => [`${row.line} | ${row.path}`, row] as const))('%s', (_, row) => {
    const { folder, write, keep, bound } = gitProject(row.files)
    const before = bound(wordsOf(row.line, folder), row.env)
    write(row.path, row.to ?? '# another\n')
    keep()
    expect(bound(wordsOf(row.line, folder), row.env).digest).not.toBe(before.digest)
  })
})

describe('nobody is asked about', () => {
  test.each(free.map((row) => [`${row.line} | ${row.path}`, row] as const))('%s', (_, row) => {
    const { folder, write, keep, bound } = gitProject(row.files)
    const before = bound(wordsOf(row.line, folder), row.env)
    write(row.path, row.to ?? '# another\n')
    keep()
    expect(bound(wordsOf(row.line, folder), row.env).digest).toBe(before.digest)
  })
})

test('a person who agreed before more was bound is shown what is new', () => {
  const { bound } = gitProject({ 'deep/__init__.py': '', 'deep/mod.py': '', 'app.py': 'import deep.mod' })
  const now = bound(['python3', 'app.py'])
  const agreed = { words: now.words.filter((word) => !word.includes('__init__')) }
  expect(launchDifference(agreed, now)).toEqual({
    was: [],
    now: [expect.stringMatching(/^loads deep\/__init__\.py: 1 line, sha256 /)],
  })
})
