import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { memoryOf } from '../../../src/adapters/processes/supervise.ts'
import { runProgram } from '../faults/run-program.ts'

/** How one command line ended. */
export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** What came of a list of command lines. */
export type Answer = {
  /** One for each; fewer when the process ended. */
  readonly ran: readonly Ran[]
  /** What native code wrote to the standard error of the process meanwhile. */
  readonly native: string
  /** How the process ended, when it did. */
  readonly died: string | null
}

/** Runs the program's own commands, one after the other. */
export type CommandWorker = {
  run(home: string, lines: readonly (readonly string[])[]): Promise<Answer>
  close(): void
}

/** What the process runs: the built program's commands, as its main file does, with outputs that are kept. */
const code = (folder: string): string => `
  import { createInterface } from 'node:readline'
  import { Readable, Writable } from 'node:stream'
  const load = (path) => import(new URL(path, ${JSON.stringify(`${pathToFileURL(folder).href}/`)}))
  const [{ run }, { outputOver }, { openAudition }, { configFrom }, { repairHere }, { openSearchModels }] =
    await Promise.all(['cli/run.js', 'cli/terminal.js', 'compose/app.js', 'config.js', 'compose/repair/repair-here.js', 'compose/open-store.js'].map(load))
  // Opened once, as they are the longest part of a command.
  const models = openSearchModels(configFrom({ AUDITION_READER: 'none' }), fetch)
  // Users get the repair in a process of its own; to start one takes longer than the repair.
  const openHere = (config) => ({
    ...openAudition(config, models),
    repair: (options) => repairHere(config, options, { openModel: models.openUnasked, givenUp: {}, onTable: () => {} }),
  })
  const kept = () => {
    let text = ''
    const stream = new Writable({ write(chunk, _, done) { text += chunk; done() } })
    return { stream, text: () => text }
  }
  // What a resource of the server shows; the command line has no word for it.
  const transcript = async (id, { env, stdout, stderr }, open) => {
    const audition = await open(env)
    try {
      const found = await (await audition.probing()).transcript(id)
      if (found === null) stderr.write('There is no transcript of it.')
      else stdout.write(JSON.stringify(found))
      return found === null ? 1 : 0
    } catch (error) {
      stderr.write(error.message)
      return 1
    } finally {
      await audition.close()
    }
  }
  for await (const line of createInterface({ input: process.stdin })) {
    const { home, lines } = JSON.parse(line)
    const env = { PATH: process.env.PATH, HOME: home + '-user', AUDITION_READER: 'none', AUDITION_HOME: home, AUDITION_SETTINGS: home + '-settings.yaml' }
    for (const argv of lines) {
      const [stdout, stderr] = [kept(), kept()]
      const terminal = {
        stdout: outputOver(stdout.stream, env, argv), stderr: outputOver(stderr.stream, env, argv), stdin: Readable.from(['']),
        env, program: 'audition', cwd: '/', home: env.HOME, platform: process.platform,
      }
      const open = async (given) => openHere(configFrom(given))
      const code = argv[0] === 'transcript' ? await transcript(argv[1], terminal, open) : await run(argv, { terminal, openAudition: open, signal: new AbortController().signal })
      process.stdout.write(JSON.stringify({ code, stdout: stdout.text(), stderr: stderr.text() }) + '\\n')
    }
  }
`

/** Bytes of memory that no command takes: one that damaged bytes lead to ask for them is stopped. */
const mostBytes = 6e9
const lookMs = 500

/**
 * All in one process, which stays: to start one for each command takes ten times as long.
 *
 * @param program - the built program's main file
 * @param mostMs - a command that takes longer hangs, and its process is killed: more than a machine that others share can make of it
 */
export function commandWorker(program: string, mostMs = 1_800_000): CommandWorker {
  let child: ReturnType<typeof start> | null = null

  const start = () => {
    const started = spawn(process.execPath, ['--input-type=module', '-e', code(join(program, '../..'))], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, RUST_BACKTRACE: '0' },
    })
    const own = {
      process: started,
      native: '',
      died: null as string | null,
      onEvent: (_line: string | null) => {},
    }
    started.stderr.on('data', (chunk: Buffer) => {
      own.native += chunk.toString()
    })
    createInterface({ input: started.stdout }).on('line', (line) => own.onEvent(line))
    const watch = setInterval(() => {
      if (memoryOf(started.pid) <= mostBytes) return
      own.died = 'took too much memory'
      started.kill('SIGKILL')
    }, lookMs)
    started.on('exit', (exit, signal) => {
      clearInterval(watch)
      own.died ??= `ended with ${signal ?? exit}`
      if (child === own) child = null
      own.onEvent(null)
    })
    return own
  }

  return {
    run(home, lines) {
      child ??= start()
      const own = child
      own.native = ''
      const ran: Ran[] = []
      own.process.stdin.write(`${JSON.stringify({ home, lines })}\n`)
      return new Promise((resolve) => {
        const hung = (): void => {
          own.died = `"${lines[ran.length]?.join(' ')}" hung`
          own.process.kill('SIGKILL')
        }
        let guard = setTimeout(hung, mostMs)
        own.onEvent = (line) => {
          clearTimeout(guard)
          if (line !== null) ran.push(JSON.parse(line) as Ran)
          if (line === null || ran.length === lines.length)
            resolve({ ran, native: own.native, died: own.died })
          else guard = setTimeout(hung, mostMs)
        }
      })
    },
    close() {
      child?.process.kill()
      child = null
    },
  }
}

/**
 * Every command in a process of its own, as users have it.
 *
 * @param worker - for what the command line has no word for
 */
export const byProgram = (program: string, worker: CommandWorker): CommandWorker => ({
  async run(home, lines) {
    const ran: Ran[] = []
    let native = ''
    for (const line of lines) {
      if (line[0] === 'transcript') {
        const answer = await worker.run(home, [line])
        native += answer.native
        ran.push(...answer.ran)
        continue
      }
      const { code, stdout, stderr, hung } = await runProgram({
        program,
        words: line,
        home,
        mostMs: 1_800_000,
      })
      ran.push({ code: code ?? -1, stdout, stderr })
      if (hung) return { ran, native, died: `"${line.join(' ')}" hung` }
    }
    return { ran, native, died: null }
  },
  close: () => undefined,
})
