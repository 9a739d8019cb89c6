import { stemmer } from 'stemmer'
import { isPast } from './past-events.ts'

/** Past forms that no rule gives, after the verb they are of. */
const irregular =
  'begin began begun,break broke broken,bring brought,build built,burn burnt,buy bought,catch caught,choose chose chosen,cut,deal dealt,' +
  'do done,draw drew drawn,drive drove driven,find found,forget forgot forgotten,freeze froze frozen,unfreeze unfroze unfrozen,get got gotten,' +
  'give gave given,grow grew grown,hide hid hidden,hit,hold held,keep kept,lay laid,lead led,lend lent,lock,lose lost,make made,meet met,' +
  'pay paid,prepay prepaid,put,quit,read,redo redone,rise rose risen,run ran,say said,see saw seen,sell sold,send sent,resend resent,' +
  'set,shut,spend spent,split,spin spun,steal stole stolen,stick stuck,take took taken,teach taught,tell told,think thought,throw threw thrown,' +
  'undo undone,uphold upheld,wear worn,win won,withdraw withdrew withdrawn,withhold withheld,write wrote written,rewrite rewrote rewritten'

const baseOf: ReadonlyMap<string, string> = new Map(
  irregular.split(',').flatMap((verb) => {
    const [base, ...forms] = verb.split(' ')
    return (forms.length === 0 ? [base!] : forms).map((form) => [form, base!] as const)
  }),
)

/** End as past forms do, and are none. */
const notPast = /^(?:need|feed|seed|speed|indeed|hundred|proceed|exceed|succeed|embed|unneed)$/

/** "shipped", "frozen", "unpaid". */
export const isPastForm = (word: string): boolean =>
  !notPast.test(word) && (isPast(word) || baseOf.has(word) || /[a-z]{2}ed$/.test(word))

/** The same for all forms of a verb: "ship", "shipped", "shipping"; "freeze", "frozen". */
export const verbStem = (word: string): string => stemmer(baseOf.get(word) ?? word)
