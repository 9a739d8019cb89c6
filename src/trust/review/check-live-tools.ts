import { setImmediate } from 'node:timers/promises'
import type { Card } from '../../domain/card.ts'
import type { JsonObject } from '../../domain/json.ts'
import { cardsOfHarvest } from '../../catalog/harvest-cards.ts'
import { identify } from '../../catalog/identity.ts'
import type { Harvest, McpServerEntry } from '../../catalog/ports.ts'
import { guardedScan, type GuardedScanOptions } from '../scan/guarded-scan.ts'
import type { Neighbour } from '../scan/scan-cards.ts'
import { type KnownServer, knownServers, type PinnedCatalog, standingIn } from './known-servers.ts'

/** Why a tool that a server lists must not be given to a model. */
export type Withheld = {
  /**
   * Against the source that has the server's cards: the tool `changed`, is `new`, or comes from a server that gives another
   * name of itself (`server`); it is `held` there already. Else: the scan found it hostile (`finding`), or it is `malformed`.
   */
  readonly because: 'changed' | 'new' | 'server' | 'held' | 'finding' | 'malformed'
  /** The source that it was compared with; null for a server that the catalog does not know. */
  readonly source: string | null
  /** Rules of the scan, hard ones; none unless it is a `finding`. */
  readonly rules: readonly string[]
}

/**
 * Compares what a server lists now with what the catalog has of it. A tool passes when its very text is in search or was accepted by
 * the user. Else it is withheld where the source is not trusted; tools of trusted sources, and of servers that the catalog
 * does not know, pass when the scan has nothing hard against them, as when they are indexed.
 *
 * @returns for each tool of `harvest.tools`, in their order: null when a model may have it
 */
export type LiveToolCheck = (
  entry: McpServerEntry,
  harvest: Harvest,
  signal: AbortSignal,
) => Promise<readonly (Withheld | null)[]>

/** Tools that are looked at before others get their turn. */
const atOnce = 50

/** @param catalog - asked anew for each server */
export function liveToolCheck(catalog: PinnedCatalog): LiveToolCheck {
  return async (entry, harvest, signal) => {
    const servers = await knownServers(entry, harvest.server.name, catalog)
    const names = new Set<string>()
    let neighbours: readonly Neighbour[] | undefined
    const checked: (Withheld | null)[] = []
    for (const [index, tool] of harvest.tools.entries()) {
      if (index % atOnce === atOnce - 1) await setImmediate()
      signal.throwIfAborted()
      const source = servers[0]?.source ?? null
      const card = cardOf(tool, { entry, harvest }, source ?? unknownSource)
      // What makes no card when it is indexed cannot be compared or scanned; of two with one name the first one is meant.
      if (card === undefined || names.has(card.name)) {
        checked.push({ because: 'malformed', source, rules: [] })
        continue
      }
      names.add(card.name)
      const verdict = against(card, servers)
      if (verdict === 'scan') neighbours ??= await catalog.names()
      checked.push(
        verdict === 'scan' ? await scanned(card, source, { neighbours: neighbours ?? [], signal }) : verdict,
      )
    }
    return checked
  }
}

/** No source has this id: to the scan, cards of all sources are those of others. */
const unknownSource = ''

function cardOf(
  tool: JsonObject,
  { entry, harvest }: { readonly entry: McpServerEntry; readonly harvest: Harvest },
  source: string,
): Card | undefined {
  const { cards } = cardsOfHarvest(entry, { server: harvest.server, tools: [tool] })
  const draft = cards.find(({ kind }) => kind === 'tool')
  const origin = { reader: 'mcp-server', location: `${entry.config}#${entry.name}` }
  return draft === undefined ? undefined : identify(source, [{ draft, origin }]).cards[0]
}

/** What all sources together say of a card; the most lenient one decides, since its user took the server there. */
function against(card: Card, servers: readonly KnownServer[]): Withheld | 'scan' | null {
  const standings = servers.map((server) => ({ source: server.source, standing: standingIn(server, card) }))
  if (standings.some(({ standing }) => standing === 'taken')) return null
  const reasons = standings.flatMap(({ source, standing }): readonly Withheld[] =>
    standing === 'taken' || standing === 'open' ? [] : [{ because: standing, source, rules: [] }],
  )
  const [first] = reasons
  return first === undefined || reasons.length < servers.length ? 'scan' : first
}

async function scanned(
  card: Card,
  source: string | null,
  options: GuardedScanOptions,
): Promise<Withheld | null> {
  const findings = (await guardedScan([card], options)).get(card.id) ?? []
  const rules = findings.flatMap(({ severity, rule }) => (severity === 'hard' ? [rule] : []))
  return rules.length === 0 ? null : { because: 'finding', source, rules: [...new Set(rules)] }
}
