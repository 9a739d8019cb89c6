import type { Card } from '../../../domain/card.ts'
import type { Finding } from '../../../domain/finding.ts'
import { printableLine } from '../../../domain/text/printable.ts'
import { excerptOfStart } from '../excerpt.ts'
import { mixesScripts, skeletonOf } from '../text/confusables.ts'
import { foldWord, plainText } from '../text/plain-text.ts'
import { type CardNames, type Neighbour, placesByKey } from './card-names.ts'

/** Names of other sources, ready to be asked for those that a name looks like. */
export type Neighbourhood = {
  /** Neighbours of other sources with exactly this name. */
  namesakes(card: Card): readonly Neighbour[]
  lookAlikeFindings(card: Card): readonly Finding[]
}

const found = (severity: Finding['severity'], name: string, message: string): Finding => ({
  rule: 'look-alike-name',
  severity,
  field: 'name',
  excerpt: excerptOfStart(name),
  message,
})

/** Shorter names are one letter apart by chance. */
const shortestName = 6
const longestName = 64
/** Characters of a name or a title that are looked at: names of cards have at most 512. */
const looked = 2_000

/** Builds the tables once; a name is then held against all of them in time that does not grow with their number. */
export function neighbourhood(names: CardNames): Neighbourhood {
  const { size, at, nameAt } = names
  const byName = placesByKey(size, nameAt)
  const bySkeleton = placesByKey(size, (place) => nameSkeleton(nameAt(place)))
  const byLower = placesByKey(size, (place) => nameAt(place).toLowerCase())
  const servers = new Map<string, Neighbour[]>()
  const serverOfSource = new Map<string, string>()
  for (let place = 0; place < size; place++) {
    const neighbour = at(place)
    const { name, source } = neighbour
    const skeleton = nameSkeleton(name)
    const server = serverKey(name)
    byName.add(place, name)
    bySkeleton.add(place, skeleton)
    byLower.add(place, name.toLowerCase())
    if (!serverOfSource.has(source)) serverOfSource.set(source, serverKey(source.replace(/-\d+$/, '')))
    // A server that was asked itself is a source of its own, named as it is; a further one of that name has a number.
    if (serverOfSource.get(source) === server)
      servers.set(server, [...(servers.get(server) ?? []), neighbour].slice(0, 8))
  }
  const others = (table: typeof byName, key: string, card: Card): readonly Neighbour[] =>
    table
      .find(key)
      .map(at)
      .filter(({ source, name }) => source !== card.source && name !== card.name)
  return {
    namesakes: (card) =>
      byName
        .find(card.name)
        .map(at)
        .filter(({ source }) => source !== card.source),
    lookAlikeFindings(card) {
      const twin = others(bySkeleton, nameSkeleton(card.name), card).find(
        ({ name }) => !sameName(name, card.name),
      )
      const mixed = mixedWord(card)
      if (twin !== undefined)
        return [
          found(
            'hard',
            card.name,
            `looks like "${excerptOfStart(twin.name)}" of ${excerptOfStart(twin.source)} and is written with other characters`,
          ),
        ]
      if (mixed !== undefined) return [mixed]
      const copied = serverWithNameOf(card, servers)
      if (copied !== undefined) return [copied]
      if (size === 0) return []
      const near = slipsOf(card.name)
        .flatMap((slip) => others(byLower, slip, card))
        .find(({ name }) => !sameName(name, card.name))
      if (near === undefined) return []
      return [
        found(
          'soft',
          card.name,
          `is one letter away from "${excerptOfStart(near.name)}" of ${excerptOfStart(near.source)}`,
        ),
      ]
    },
  }
}

/** A server that goes by the name of another one, letter for letter or but for separators, other signs, case and look-alike letters. */
function serverWithNameOf(
  card: Card,
  servers: ReadonlyMap<string, readonly Neighbour[]>,
): Finding | undefined {
  if (card.kind !== 'agent' || card.agentKind !== 'toolkit') return undefined
  const other = servers.get(serverKey(card.name))?.find(({ source }) => source !== card.source)
  if (other === undefined) return undefined
  return found(
    'soft',
    card.name,
    `goes by the name of the server "${excerptOfStart(other.name)}" of ${excerptOfStart(other.source)}`,
  )
}

const serverKey = (name: string): string => nameSkeleton(name).replace(/[^\p{L}\p{N}]/gu, '')

/** A word of the name that mixes scripts as no language does. */
function mixedWord(card: Card): Finding | undefined {
  for (const [field, text] of [
    ['name', card.name],
    ['title', card.title ?? ''],
  ] as const) {
    const word = (text.slice(0, looked).match(/[\p{L}\p{M}]+/gu) ?? []).find(isDisguised)
    const message = `"${excerptOfStart(word ?? '')}" mixes Latin letters with letters of another script that look like them`
    if (word !== undefined) return { ...found('hard', text, message), field }
  }
  return undefined
}

/** Mixed, and with every foreign letter a look-alike: `µm` or `Δt` are none. */
const isDisguised = (word: string): boolean =>
  word.length >= 3 && mixesScripts(word) && /^[a-z]+$/.test(skeletonOf(foldWord(word)))

/** What remains of a name for the eye: scripts, case, separators and digits that pass for letters set aside. */
const nameSkeleton = (name: string): string =>
  skeletonOf(foldWord(plainText(name.slice(0, looked))))
    .replace(/[\s_.-]+/g, '_')
    .replace(
      /(?<=\p{L})[013457](?=\p{L})|(?<=\p{L})[013457](?=_|$)(?<=\p{L}{3}.)/gu,
      (digit) => letterOf[digit]!,
    )
    .replaceAll('vv', 'w')
    .replaceAll('rn', 'm')

const letterOf: { readonly [digit: string]: string } = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't' }

/** Names that differ in case and separators only are read as the same name, and are. */
const sameName = (a: string, b: string): boolean => plainName(a) === plainName(b)
const plainName = (name: string): string =>
  printableLine(name)
    .toLowerCase()
    .replace(/[\s_.-]+/g, '')

/** The name with one letter doubled, one of a double dropped, or two neighbours swapped, past the first two. */
function slipsOf(name: string): readonly string[] {
  const lower = name.toLowerCase()
  if (lower.length < shortestName || lower.length > longestName) return []
  const slips = new Set<string>()
  for (let at = 2; at < lower.length; at++) {
    const [before, letter, after] = [lower.slice(0, at), lower[at]!, lower.slice(at + 1)]
    if (!/\p{L}/u.test(letter)) continue
    slips.add(before + letter + letter + after)
    if (letter === after[0]) slips.add(before + after)
    if (/\p{L}/u.test(after[0] ?? '')) slips.add(before + after[0] + letter + after.slice(1))
  }
  slips.delete(lower)
  return [...slips]
}
