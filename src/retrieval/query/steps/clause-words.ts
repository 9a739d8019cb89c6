import { wordSet as words } from '../../../domain/text/word-rules.ts'
import { readData } from '../../../read-data.ts'
import type countedVerbs from './clause-verbs.json'
import type wordLists from './clause-words.json'

/** The closed classes of English words by which clauses are told apart (`clause-words.json`). */
const lists = readData<typeof wordLists>(new URL('./clause-words.json', import.meta.url))
/** Verbs with which requests begin, counted from the training data: written by `npm run clause-verbs`. */
const verbs = readData<typeof countedVerbs>(new URL('./clause-verbs.json', import.meta.url))

/** Verbs that are hardly ever nouns. */
export const sureVerbs = words(verbs.sure)
/** Verbs that are often nouns: only an object tells. */
export const nounLikeVerbs = words(verbs.nounLike)

/** Join a step to the one before. */
export const joiners = words(lists.joiners)
/** Of these, the ones that tell an order; "that" is of "after that". */
export const sequelWords = words(lists.sequelWords)
/** May stand between a joiner and its verb. */
export const softeners = words(lists.softeners)
/** What an object begins with, when it is no bare noun. */
export const objectStarts = words(lists.objectStarts)
/** Stand right before a noun. */
export const nounStarts = words(lists.nounStarts)
/** What an object of a verb that no list knows begins with: narrower, since other words stand before the rest as well. */
export const plainObjectStarts = words(lists.plainObjectStarts)
/** May stand between a subject and its verb. */
export const adverbs = words(lists.adverbs)
/** With which a person says that something is wanted: "I need", "we'd like", "I am looking for". */
export const wishWords = words(lists.wishWords)
/** A verb after one of these asks for something. */
export const requestLeads = words(lists.requestLeads)
/** Begin a question. */
export const askers = words(lists.askers)
/** Follow a word that asks, in a question of its own. */
export const helpers = words(lists.helpers)
/** Show that the words after one that asks are a clause. */
export const finiteForms = words(lists.finiteForms)
/** Begin a clause about a noun. */
export const relatives = words(lists.relatives)
/** With which such a clause goes on in the form that imperatives have. */
export const plainForms = words(lists.plainForms)
/** Begin a clause that waits for its main clause. */
export const subordinators = words(lists.subordinators)
/** Particles that may end a clause: "turn it off". */
export const particles = words(lists.particles)
/** Stand between a verb and its object: "work out the price". */
export const phrasalParticles = words(lists.phrasalParticles)
/** Verbs before such a particle, and else never: "back up the disk", "even out the rows". */
export const adverbVerbs = words(lists.adverbVerbs)
/** Never a verb that begins a step, whatever follows. */
export const neverVerbs = words(lists.neverVerbs)
/** Lead somewhere with one of the words below: "go to the page", "log in to the bank". They need no object. */
export const movers = words(lists.movers)
export const ways = words(lists.ways)
/** With which one tells something: what follows such a word asks for nothing. */
export const subjects = words(lists.subjects)
/** Tell what somebody else says or thinks. */
export const reporters = words(lists.reporters)
/** End in "s" like a plural, and tell of nothing. */
export const pluralLike = words(lists.pluralLike)
/** Past forms that no rule makes. */
export const pastForms = words(lists.pastForms)
