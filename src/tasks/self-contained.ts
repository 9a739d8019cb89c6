import { analyzeQuery } from '../retrieval/text/analyze.ts'
import type { Questions } from './ports.ts'

/** Words that point at what is not in the request. */
const pointing =
  /\b(?:this(?! (?:spring|summer|autumn|fall|winter|week|weekend|month|year|morning|afternoon|evening)\b)|these|here (?:is|are)|attached|enclosed|above|below|following|the (?:new|newest|old|latest|second) version)\b/i
/** What stands in place of a value, as descriptions say it: `a specified word`. */
const placeholder = /\b(?:specified|provided|supplied|given|specific|certain|particular)\b/i
const blanks = /<[a-z][^<>]{0,40}>|\{\w{1,40}\}|\[[a-z][^[\]]{0,40}\]|\.{3}|…/i

/** What is worked on, and must be at hand. */
const material =
  'agreements?|answers?|app|articles?|build|charts?|checkout|code|config(?:uration)?|contract|cv|data(?:base|set)?|dependencies|description|' +
  'documents?|draft|emails?|essay|expenses|files?|form|function|homepage|images?|invoices?|lease|letter|logs?|mails?|minutes|notes|numbers|' +
  'packages?|pages?|paper|papers|photos?|picture|pipeline|policy|prompt|queries|query|recordings?|repo(?:sitory)?|reports?|resume|schema|' +
  'screenshot|settings|sheet|site|slides|spreadsheet|survey|tables?|tests?|text|thesis|tickets?|transcript|website'
/** Somebody's own, which only they have. */
const ownMaterial = new RegExp(
  `\\b(?:my|our|his|her|their)\\s(?:[\\w'-]{1,30}\\s){0,2}(?:${material})\\b`,
  'i',
)
const file =
  /\b[\w-]{1,60}\.(?:csv|docx?|html|ini|js|json|log|md|pdf|pptx?|py|sql|tex|toml|ts|txt|xlsx?|xml|ya?ml)\b/i
/** Such verbs need something that they are done to. */
const worksOn =
  /^(?:proofread|rewrite|rephrase|summari[sz]e|translate|review|edit|correct|debug|refactor|fix|annotate|classify|transcribe|grade|compress|reformat|lint|anonymi[sz]e|redact)s?\b/i

/** Whether a request holds what it is about, as far as its words tell without a model. */
export function selfContained(task: string): Questions['selfContained']['answer'] {
  const lacks = (missing: string) => ({ isSelfContained: false, missing })
  const bringsData = /["“:]/.test(task)
  const found = [pointing, placeholder, blanks, ownMaterial, file]
    .map((form) => form.exec(task)?.[0])
    .find(Boolean)
  if (!bringsData && found !== undefined) return lacks(`"${found}" is not in the request`)
  if (!bringsData && worksOn.test(task)) return lacks('what it is to be done to is not in the request')
  return analyzeQuery(task).length < 3 ? lacks('it says too little') : { isSelfContained: true, missing: '' }
}
