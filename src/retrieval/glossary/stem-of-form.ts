import { lightStem } from '../text/analyze.ts'

/** Letters that a stem has at least. */
const leastStem = 3

const endingsOf = (list: string): RegExp =>
  new RegExp(`(?<=.{${leastStem}})(?:${list.replaceAll(' ', '|')})$`, 'u')

/** Cases of nouns and adjectives, persons and tenses of verbs, participles; й is folded to и. */
const russian = endingsOf(
  'ированные ированных ированную ированный ированная ирование ирования ировать ированию ' +
    'ывается ываются ующими ующего ующему ующих ующие ующая ующую ующеи ующии ующее ующем ' +
    'ывающ ивающ ывает ивает ывают ивают ывать ивать ывание ивание ывания ивания ' +
    'анными анного анному анных анные анная анную аннои анныи анное анном енными енного енному енных енные енная енную еннои енныи енное енном ' +
    'авшие авших авшии авшая ившие ивших ившии ившая ениями аниями ениях аниях ением анием ению анию ения ания ение ание ении ании ' +
    'аемые аемых аемыи аемая имые имых имыи имая ающие ающих ающии ающая ящие ящих ящии ящая ' +
    'иями ями ами ого его ому ему ыми ими уете уешь ует уем уют ите ишь ете ешь аите уите еите аете аешь ает аем ают яете яет яем яют ' +
    'ила ило или ала ало али яла яло яли ела ело ели ула уло ули ыла ыло ыли ена ено ены ана ано аны ать ить ять еть уть оть ыть ти ' +
    'ая яя ое ее ые ие ои еи ии ыи аи уи яи ую юю ою ею ом ем ам ям ах ях ов ев ию ью ия ья ье ил ал ял ыл ит ят ут ют им ым их ых ' +
    'а е и о у ы ь ю я',
)
const reflexive = /(?<=.{3})(?:ся|сь)$/u

/** By which forms of one word meet. */
export const stemOfForm = (word: string, language: string): string =>
  language === 'ru' ? word.replace(reflexive, '').replace(russian, '').replace(/нн$/u, 'н') : lightStem(word)

/** Of Arabic: article, prepositions and conjunctions, then gender, number and pronouns. */
const arabicBefore = /^[وف]?(?:ال|بال|كال|لل|[بلك])?(?=.{3})/u
const arabicAfter = /(?<=.{3})(?:ات|ين|ون|ان|ها|هم|نا|كم|تي|يه|[هيا])$/u
/** Gender, number and case. */
const latinAfter = /(?<=.{3})(?:e[snrm]?|[aoi]s?|n?s|n|x)$/u

/** By which forms of the words of an expression meet: coarser than words alone, since all of them must. */
export function stemInExpression(word: string, language: string): string {
  if (language === 'ru') return stemOfForm(word, language)
  if (language === 'ar') return word.replace(arabicBefore, '').replace(arabicAfter, '')
  return word.replace(latinAfter, '')
}
