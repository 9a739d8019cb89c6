import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectWithPlugin } from './project.ts'
import { hasClaudeCode, loadedBy, session } from './session.ts'

const bundled = join(import.meta.dirname, '..', '..', '..', 'evals', 'bundled')
const linesOf = (name: string) => readFileSync(join(bundled, name), 'utf8').trim().split('\n')

/** Requests of our own for the tools that the project has, and the names by which Claude Code has the right ones. */
function requests(): readonly { readonly text: string; readonly wanted: readonly string[] }[] {
  const right = linesOf('qrels.tsv').map((line) => line.split('\t'))
  return linesOf('queries.jsonl').flatMap((line) => {
    const { id, text } = JSON.parse(line) as { readonly id: string; readonly text: string }
    const wanted = right.flatMap(([query, card = '', grade]) => {
      const [, server, tool] = /^audition-(calendar|arithmetic)\/(.+)$/.exec(card) ?? []
      return query === id && grade === '2' && server !== undefined ? [`mcp__${server}__${tool}`] : []
    })
    return wanted.length === 0 ? [] : [{ text, wanted }]
  })
}

/** Two sessions a request take some ten seconds: so many only where somebody asks. */
const count = Number(process.env.AUDITION_JOB_REQUESTS ?? 0)
const title =
  count > 0 && hasClaudeCode ? `${count} requests` : 'skipped: AUDITION_JOB_REQUESTS says how many'

test.skipIf(count === 0 || !hasClaudeCode)(
  `ToolSearch finds the wanted tool more often with the hook: ${title}`,
  async () => {
    const project = await projectWithPlugin()
    try {
      const all = requests()
      const step = Math.max(1, Math.floor(all.length / count))
      const asked = all.filter((_, at) => at % step === 0).slice(0, count)
      const hits = { requests: asked.length, withoutHook: 0, withHook: 0, ofThoseFirst: 0, lost: 0, more: 0 }
      const isHit = (names: readonly string[], wanted: readonly string[]) =>
        Number(names.some((name) => wanted.includes(name)))
      for (const { text, wanted } of asked) {
        const turns = [() => ({ name: 'ToolSearch', input: { query: text } })]
        const search = async (disableAllHooks: boolean) =>
          loadedBy(
            (await session({ ...project.asking('Look for it.'), turns, settings: { disableAllHooks } }))
              .asked[1]!,
          )
        const [own, both] = [await search(true), await search(false)]
        hits.withoutHook += isHit(own, wanted)
        hits.withHook += isHit(both, wanted)
        hits.ofThoseFirst += isHit(both.slice(0, 1), wanted)
        hits.lost += Number(own.some((name) => !both.includes(name)))
        hits.more += both.length - own.length
      }
      console.log(hits)
      expect(hits.lost).toBe(0)
      expect(hits.withHook).toBeGreaterThan(hits.withoutHook)
    } finally {
      project.remove()
    }
  },
  7_200_000,
)
