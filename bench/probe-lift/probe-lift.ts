import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { answerKeys } from '../../catalog/answer-keys/answer-keys.ts'
import { mcpHarvester } from '../../src/adapters/mcp-client/mcp-harvester.ts'
import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { packageVersion } from '../../src/package-version.ts'
import { allowList } from '../../src/probing/settings/grants.ts'
import { referenceJudge } from '../../src/probing/judges/reference-judge.ts'
import { tasksOfCard } from '../../src/probing/writing/tasks-of-card.ts'
import type { Card } from '../../src/domain/card.ts'
import type { Bench } from '../bench.ts'
import { root } from '../built-program.ts'
import { hasModel, modelFolder } from '../static-model-folder.ts'
import { probeLiftFindings } from './findings.ts'
import { keptSessionExecutor } from './kept-session-executor.ts'
import { measureProbeLift, type ProbeLiftProgress } from './measure-probe-lift.ts'
import { probeBySource } from './probe-by-source.ts'

const words = { servers: 'servers started', probes: 'probes', searches: 'rounds of searches' } as const

/** Starts the servers of the variants, which are of this repository, and nothing else; touches no store. */
export const probeLift: Bench = {
  name: 'probe-lift',
  question: 'How much do probes add to search, on tools that say the same and answer differently?',
  async run({ quick, log }) {
    const catalogFolder = join(root, 'dist', 'bundled')
    const connecting = { catalogFolder, environment: process.env, version: packageVersion() }
    const probing = {
      openExecutor: () => keptSessionExecutor(connecting),
      tasksOf: (card: Card, count: number) => tasksOfCard(card, count, { answers: answerKeys }),
      judge: referenceJudge(),
      allow: allowList([`mcp:${join(root, 'bench', 'probe-lift', 'variants', 'mcp.json')}#*`], catalogFolder),
      now: () => new Date(),
      newId: randomUUID,
    }
    const model = hasModel ? await staticModel(modelFolder) : null
    const report = await measureProbeLift(
      {
        root,
        harvester: mcpHarvester(connecting),
        prober: (cards, count, how) => probeBySource(cards, count, probing, how),
        model,
      },
      { servers: quick ? ['calendar'] : [], onProgress: logged(log) },
    )
    await model?.close()
    const findings = probeLiftFindings(report)
    // A part of the requests says too little to judge a floor by.
    return quick ? { ...findings, floors: [] } : findings
  },
}

/** A line where a step begins, and at every tenth of its way. */
function logged(log: (message: string) => void): (progress: ProbeLiftProgress) => void {
  let last = ''
  return ({ step, done, total }) => {
    const tenth = `${step} ${Math.floor((10 * done) / total)}`
    if (tenth !== last) log(`probe-lift: ${done} of ${total} ${words[step]}`)
    last = tenth
  }
}
