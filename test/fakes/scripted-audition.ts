import type { Audition } from '../../src/compose/app.ts'
import { placesIn } from '../../src/store/source-review.ts'
import { boundServer } from '../../src/trust/launches/bound-server.ts'
import { serverHeld } from '../../src/trust/review/held-server.ts'
import { heldNotices } from '../../src/trust/review/held-notices.ts'

/** An Audition that can do what a test supplies; anything else throws, so that no test leans on it unawares. */
export function scriptedAudition(parts: Partial<Audition>): Audition {
  const refuse = (name: string) => () => {
    throw new Error(`scriptedAudition: the test supplied no ${name}()`)
  }
  return {
    search: refuse('search'),
    searchAmong: refuse('searchAmong'),
    compose: refuse('compose'),
    models: async () => ({ task: null, priceWeight: 1, models: [], known: 0, tasks: 0 }),
    cards: refuse('cards'),
    closestIds: refuse('closestIds'),
    unknownValues: refuse('unknownValues'),
    completeIds: refuse('completeIds'),
    counts: refuse('counts'),
    sources: refuse('sources'),
    evaluations: refuse('evaluations'),
    findability: refuse('findability'),
    makeTasks: refuse('makeTasks'),
    passRate: refuse('passRate'),
    probing: refuse('probing'),
    calling: refuse('calling'),
    keptCalling: refuse('keptCalling'),
    simulatedServer: refuse('simulatedServer'),
    simulatedProbing: refuse('simulatedProbing'),
    simulatedRecord: refuse('simulatedRecord'),
    judge: refuse('judge'),
    modelJudges: async () => [],
    comparer: async () => null,
    record: refuse('record'),
    index: refuse('index'),
    train: refuse('train'),
    recommend: {
      build: refuse('recommend.build'),
      train: refuse('recommend.train'),
      evaluate: refuse('recommend.evaluate'),
    },
    reranker: refuse('reranker'),
    languageModel: async () => null,
    runtimeSetting: async () => null,
    diagnose: refuse('diagnose'),
    storeAge: async () => null,
    conditionalPuts: async () => ({ outcome: 'needless' }),
    repair: refuse('repair'),
    followedLinks: async () => [],
    containment: async () => ({ sandbox: 'none', within: 'no sandbox; no limits', fault: null }),
    guardedFetch: refuse('guardedFetch'),
    launchOf: async () => (entry) => boundServer(entry),
    tryServer: refuse('tryServer'),
    tryOwnEntry: refuse('tryOwnEntry'),
    removeSources: refuse('removeSources'),
    held: async (ids) => heldNotices((await parts.reviews?.()) ?? [], ids),
    reviews: async () => [],
    serverHeld: async (card) => serverHeld(card, (await parts.reviews?.()) ?? []),
    places: async () => placesIn((await parts.reviews?.()) ?? []),
    accept: refuse('accept'),
    accepted: async () => [],
    refuse: refuse('refuse'),
    takeBack: refuse('takeBack'),
    decideTrust: refuse('decideTrust'),
    standingBack: async () => [],
    close: async () => {},
    ...parts,
  }
}
