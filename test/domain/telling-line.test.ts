import { expect, test } from 'vitest'
import { tellingLine } from '../../src/domain/text/telling-line.ts'

test.each([
  {
    what: 'Node.js, thrown',
    says: 'Error: GITHUB_TOKEN is not set',
    text: `/srv/github/index.js:12
    throw new Error("GITHUB_TOKEN is not set")
    ^

Error: GITHUB_TOKEN is not set
    at Object.<anonymous> (/srv/github/index.js:12:11)
    at Module._compile (node:internal/modules/cjs/loader:1554:14)

Node.js v22.1.0`,
  },
  {
    what: 'Node.js, a module that is missing',
    says: "Error: Cannot find module '/srv/server.js'",
    text: `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/srv/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at node:internal/main/run_main_module:36:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.19.0`,
  },
  {
    what: 'Node.js, a warning before the error',
    says: 'TypeError [ERR_INVALID_URL]: Invalid URL',
    text: `(node:4711) [DEP0040] DeprecationWarning: The \`punycode\` module is deprecated.
(Use \`node --trace-deprecation ...\` to show where the warning was created)
node:internal/url:797
    this.#updateContext(bindingUrl.parse(input, base));
TypeError [ERR_INVALID_URL]: Invalid URL
    at new URL (node:internal/url:797:36)
  code: 'ERR_INVALID_URL',
  input: 'undefined'`,
  },
  {
    what: 'Python',
    says: "ModuleNotFoundError: No module named 'mcp'",
    text: `Traceback (most recent call last):
  File "/srv/server.py", line 3, in <module>
    from mcp.server import Server
ModuleNotFoundError: No module named 'mcp'`,
  },
  {
    what: 'Python, a chain',
    says: 'RuntimeError: cannot reach the database',
    text: `Traceback (most recent call last):
  File "/srv/db.py", line 9, in connect
    raise OSError("refused")
OSError: refused

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/server.py", line 30, in <module>
    main()
    ~~~~^^
RuntimeError: cannot reach the database`,
  },
  {
    what: 'npm',
    says: 'npm error 404 Not Found - GET https://registry.npmjs.org/@acme%2fmcp - Not found',
    text: `npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/@acme%2fmcp - Not found
npm error 404
npm error 404  '@acme/mcp@*' is not in this registry.
npm error A complete log of this run can be found in: /home/ann/.npm/_logs/2026.log`,
  },
  {
    what: 'Rust',
    says: 'called `Result::unwrap()` on an `Err` value: NotPresent',
    text: `thread 'main' panicked at src/main.rs:4:40:
called \`Result::unwrap()\` on an \`Err\` value: NotPresent
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
  },
  {
    what: 'a log, then trouble, then a farewell',
    says: 'ERROR could not connect to localhost:5432: connection refused',
    text: `INFO starting server
INFO reading configuration
ERROR could not connect to localhost:5432: connection refused
INFO bye`,
  },
  {
    what: 'a usage',
    says: 'Usage: server <directory>',
    text: 'Usage: server <directory>\n\nOptions:\n  -h  help',
  },
  { what: 'words of no trouble', says: 'bye', text: 'hello\n\nbye\n   \n' },
  { what: 'marks alone', says: '}', text: '{\n}\n' },
  { what: 'nothing', says: '', text: '\n  \n' },
])('$what', ({ text, says }) => {
  expect(tellingLine(text)).toBe(says)
})
