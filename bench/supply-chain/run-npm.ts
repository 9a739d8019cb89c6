import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** What an npm command did. */
type NpmRun = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Runs npm in a folder. Its notices about itself are switched off. */
export async function runNpm(words: readonly string[], folder: string): Promise<NpmRun> {
  const child = spawn('npm', [...words], {
    cwd: folder,
    env: { ...process.env, npm_config_update_notifier: 'false', npm_config_loglevel: 'error' },
    shell: process.platform === 'win32', // npm is a script there
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8')
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}
