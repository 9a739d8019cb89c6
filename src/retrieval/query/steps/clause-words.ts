/** The closed classes of English words by which clauses are told apart. Everything that can be counted is in `clause-verbs.ts`. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Join a step to the one before. */
export const joiners = words('and then also plus next finally lastly afterwards afterward additionally')

/** Of these, the ones that tell an order; "that" is of "after that". */
export const sequelWords = words('then next finally lastly afterwards afterward that')

/** May stand between a joiner and its verb. */
export const softeners = words(
  'please just maybe perhaps quickly automatically immediately now also then finally next lastly afterwards kindly to',
)

/** What an object begins with, when it is no bare noun. */
export const objectStarts = words(
  'a an the my your our his her their its this that these those each every all any some another both me us it him them ' +
    'everyone everything whether what how who which where if one two three four five six seven eight nine ten several',
)

/** Stand right before a noun. */
export const nounStarts = words(
  'a an the my your our his its their this that these those some any every each no another of',
)

/** What an object of a verb that no list knows begins with: narrower, since other words stand before the rest as well. */
export const plainObjectStarts = words(
  'a an the my your our his her their its this these those me it them him us',
)

/** May stand between a subject and its verb. */
export const adverbs = words('also just really now would am are currently still only')
/** With which a person says that something is wanted: "I need", "we'd like", "I am looking for". */
export const wishWords = words('need want like must should wish looking hoping trying wanting planning')

/** A verb after one of these asks for something. */
export const requestLeads = words('please then also and or me you us let help not')

/** Begin a question. */
export const askers = words('what how which who when where why whose')
/** Follow a word that asks, in a question of its own. */
export const helpers = words(
  'is are was were do does did can could will would should has have many much long far often old',
)
/** Show that the words after one that asks are a clause. */
export const finiteForms = words(
  'is are was were do does did can could will would should has have had must may',
)

/** Begin a clause about a noun. */
export const relatives = words('that which who whom whose where')
/** With which such a clause goes on in the form that imperatives have. */
export const plainForms = words("are have do can will could should would must may don't can't cannot")

/** Begin a clause that waits for its main clause. */
export const subordinators = words('if when whenever once after before while since because as unless until')

/** Particles that may end a clause: "turn it off". */
export const particles = words(
  'up down off over out back away again here there too today tomorrow tonight yesterday',
)

/** Stand between a verb and its object: "work out the price". */
export const phrasalParticles = words('up out off down over away back')

/** Never a verb that begins a step, whatever follows. */
export const neverVerbs = words(
  'and or nor but a an the my your our his her their its this that these those each every all any some of in on at by for from ' +
    'with into about as per via between against than if when while because after before until to is are was were be been has ' +
    'have had do does did can could will would should may might must not no only so too i you we they he she it me us him ' +
    'them there here who which what where how why then also next finally plus maybe perhaps both either neither such like ' +
    'just even again still very more most less least out up down off over under back away ' +
    'near within without during among around along above below through throughout across behind beside besides beyond despite ' +
    'except inside outside onto toward towards upon regarding concerning unlike versus although though whereas whatever ' +
    'whichever however otherwise therefore instead half twice almost quite rather today tomorrow tonight yesterday',
)

/** Lead somewhere with one of the words below: "go to the page", "log in to the bank". They need no object. */
export const movers = words('go navigate head browse scroll surf jump switch return zoom log sign')
export const ways = words('to into in onto back over down up through')

/** With which one tells something: what follows such a word asks for nothing. */
export const subjects = words('i we he she it they people everyone everybody somebody someone there here')
/** Tell what somebody else says or thinks. */
export const reporters = words(
  'said says say told tells tell thinks think thought believes believe believed knew knows insists insisted joked jokes wrote writes asked asks',
)
/** End in "s" like a plural, and tell of nothing. */
export const pluralLike = words('yes thanks always perhaps sometimes afterwards besides this us as is')
/** Past forms that no rule makes. */
export const pastForms = words(
  'came went took made gave got said told saw found left kept held brought bought thought felt knew ran began wrote broke ' +
    'spoke grew fell sold sent met led lost paid stood sat won rose drove chose ate flew spent taught caught built',
)
