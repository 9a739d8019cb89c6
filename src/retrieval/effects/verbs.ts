import { type Effect, effects } from './effect.ts'

/** Verbs by what they do. English, as names of tools are, and the commonest of the languages that people ask in. */
const clear: { readonly [effect in Effect]: string } = {
  reads:
    'get list find search read view describe count query fetch lookup inspect display browse retrieve return compare summarize ' +
    'summarise explain analyze analyse monitor preview determine identify detect calculate compute estimate measure tell see know ' +
    'show check look watch examine enumerate discover ' +
    'zeige suche finde lies liste prüfe montre affiche cherche trouve lis muestra busca encuentra lee mostra cerca trova leggi mostre procure encontre leia ' +
    'покажи найди прочитай посчитай',
  changes:
    'create add insert update edit modify set write append rename upload send publish assign unassign enable disable restart save ' +
    'reschedule merge upsert install deploy replace configure invite grant overwrite alter mutate reopen approve reject submit ' +
    'subscribe attach duplicate ' +
    'erstelle ändere schreibe sende aktualisiere crée ajoute modifie envoie écris crea añade modifica envía escribe actualiza aggiungi invia scrivi ' +
    'crie adicione envie escreva создай добавь измени отправь напиши обнови',
  destroys:
    'delete remove drop destroy purge erase wipe truncate kill terminate revoke uninstall deregister unpublish ' +
    'lösche entferne supprime efface elimina borra cancella exclua apague удали сотри',
}

/** Verbs that are nouns as often: a verb only where it stands first, and no clear one stands beside it. */
const doubtful: { readonly [effect in Effect]: string } = {
  reads: 'track print scan audit review report',
  changes:
    'make change put patch move copy post start stop store register order book buy purchase pay transfer schedule commit push comment reply ' +
    'share import close lock unlock turn build open',
  destroys: 'clear cancel prune trash reset',
}

type Verbs = ReadonlyMap<string, Effect>

const verbsOf = (words: { readonly [effect in Effect]: string }): Verbs =>
  new Map(effects.flatMap((effect) => words[effect].split(' ').map((word) => [word, effect] as const)))

/** Forms that are things as often. */
const things = new Set(
  'settings setting listing listings finding findings reading readings building moves posts orders'.split(
    ' ',
  ),
)

/** "deletes" and "deleting" of "delete", "gets" and "getting" of "get". */
function formsOf(verb: string): readonly string[] {
  const third = /(?:s|x|ch|sh)$/.test(verb) ? `${verb}es` : `${verb.replace(/([^aeiou])y$/, '$1ie')}s`
  const gerunds = [`${verb.replace(/([^e])e$/, '$1')}ing`, `${verb}${verb.at(-1)}ing`]
  return [verb, third, ...gerunds].filter((form) => !things.has(form))
}

const inAllForms = (verbs: Verbs): Verbs =>
  new Map([...verbs].flatMap(([verb, effect]) => formsOf(verb).map((form) => [form, effect] as const)))

/** Past forms that no rule gives. */
const irregular: { readonly [verb: string]: string } = {
  send: 'sent',
  write: 'wrote written',
  overwrite: 'overwrote overwritten',
  pay: 'paid',
  make: 'made',
  buy: 'bought',
  build: 'built',
  put: '',
  set: '',
  reset: '',
}

/** "deleted" of "delete", "stopped" of "stop", "sent" of "send"; of other languages nothing. */
function pastOf(verb: string): readonly string[] {
  const own = irregular[verb]
  if (own !== undefined) return own.split(' ').filter((form) => form !== '')
  if (/[^a-z]/.test(verb)) return []
  if (verb.endsWith('e')) return [`${verb}d`]
  return [`${verb.replace(/([^aeiou])y$/, '$1i')}ed`, `${verb}${verb.at(-1)}ed`]
}

/** Verbs as they stand in names: in their first form. */
export const namedVerbs = { clear: verbsOf(clear), doubtful: verbsOf(doubtful) } as const

/** Verbs as they stand in sentences: "deletes" and "deleting" too. */
export const spokenVerbs = {
  clear: inAllForms(namedVerbs.clear),
  doubtful: inAllForms(namedVerbs.doubtful),
} as const

/** Forms by which something is told to be changed or destroyed already: "deleted", "sent". */
export const pastVerbs: Verbs = new Map(
  [...namedVerbs.doubtful, ...namedVerbs.clear].flatMap(([verb, effect]) =>
    effect === 'reads' ? [] : pastOf(verb).map((form) => [form, effect] as const),
  ),
)
