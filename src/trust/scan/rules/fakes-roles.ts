import { excerptAround } from '../excerpt.ts'
import type { Hit, Rule } from '../rule.ts'
import { isQuoted } from '../text/quotations.ts'

/** Marks that chat templates of models give a meaning: they end one speaker's text and begin another's. */
const templateMarks =
  /<\|(?:im_start|im_end|im_sep|system|user|assistant|start_header_id|end_header_id|eot_id|endoftext|begin_of_text|tool_call|tool_response|channel|message|return)[^>|\n]{0,20}\|>|\[\/?INST\]|<<\/?SYS>>|<(?:start|end)_of_turn>|<｜(?:User|Assistant|begin▁of▁sentence)｜>/gi

/** Tags by which hosts tell a model who speaks; what follows at once is said by them. */
const speakerTags =
  /<\/?\s{0,3}(?:system(?:[-_ ]?(?:reminder|prompt|message|instructions?|note|override))?|developer[-_ ]message|tool[-_ ]?(?:results?|responses?|outputs?|descriptions?)|function[-_ ]?(?:results?|calls?|responses?)|antml:[\w-]{1,30})\s{0,3}>(?=\s{0,3}[\p{L}\d<[*"']|\s*$)/giu

/** Tags that mark something as binding, where they are closed again: an open one is a placeholder of a usage line. */
const bindingTags =
  /<\s{0,3}(important|critical|mandatory|attention|secret|hidden|admin|override|developer|assistant|human|user[-_ ](?:message|request|approval|consent)|(?:priority[-_ ]?)?instructions?(?:[-_ ](?:to|for)[-_ ][\w-]{1,30})?)\s{0,3}>[^<]{8,2000}<\s{0,3}\/\s{0,3}\1\s{0,3}>/gi

/** A line that begins as another speaker's. */
const speakerLines =
  /(?:^|\n|\\n|#{2,4})[ \t#>*_[({-]{0,8}(?:(?:system|assistant|developer)(?:[ \t-](?:message|prompt|note|override|instructions?|update|alert|notice))?|human|user)(?:[\])}* \t]{0,6}[:：]|\][ \t]{1,3}(?=[A-Z]))(?=[ \t*]{0,4}\S)/gi

/** A line that tells what a tool would have answered. */
const resultLines =
  /(?:^|\n|\\n)[ \t#>*_[-]{0,8}(?:tool|function|api)[ _-]?(?:result|response|output|call)[ \t*\]]{0,4}[:：]/gi

/** Text in which somebody else seems to speak: the system, the user, a tool that answers. */
export const fakesRoles: Rule = {
  name: 'fakes-roles',
  heedsReading: true,
  inspect({ text, register }, signals) {
    if (!signals.has('speaker') || register === 'name' || !/[<[:：]/.test(text)) return []
    const isPrompt = register === 'prompt'
    const hits = (pattern: RegExp, severity: Hit['severity'], message: string): Hit[] =>
      [...text.matchAll(pattern)].slice(0, 50).flatMap(({ 0: match, index }): Hit[] => {
        const cited =
          isQuoted(text, index, index + match.length) ||
          spokenOf.test(text.slice(Math.max(0, index - 40), index))
        if (cited && isPrompt) return []
        return [
          {
            severity: cited ? 'soft' : severity,
            excerpt: excerptAround(text, index, index + match.length),
            message,
            spans: [[index + Math.max(0, match.search(/\p{L}/u)), index + match.length]], // sentences begin with words
          },
        ]
      })
    const marks = 'holds marks of chat templates, which end one speaker and begin another'
    if (isPrompt) return hits(templateMarks, 'soft', marks)
    const ofLines = speaksToModel(text) ? 'hard' : 'soft'
    return [
      ...hits(templateMarks, 'hard', marks),
      ...hits(speakerTags, 'hard', 'holds a tag by which hosts tell a model who speaks'),
      ...hits(bindingTags, 'hard', 'holds a block that is marked as binding for the model'),
      ...hits(speakerLines, ofLines, 'holds a line that begins as said by another speaker'),
      ...hits(resultLines, ofLines, 'holds a line that looks like the answer of a tool'),
    ]
  },
}

/** Words that make what follows a name of a mark rather than the mark. */
const spokenOf =
  /\b(?:escap\w*|strip\w*|remov\w*|detect\w*|quot\w*|mark\w*|tokens?|tags?|such as|for example,?|e\.g\.|like|format\w*|supports?|hidden characters,)[ :"'`(]{1,3}$/i

/** Whether a text turns to a model at all, rather than documenting a format that has such lines. */
const speaksToModel = (text: string): boolean =>
  /\b(?:you (?:must|should|are|will|need|have)|your|do not|don't|never|always|must|now|immediately|I will|asked me|so I|disable|enable|proceed|comply|ignore|grant|approved?|confirmed|call|invoke)\b/i.test(
    text,
  )
