/** What is wrong and what to do about it, as sentences; the first may have a stop of its own or none. */
export const withRemedy = (message: string, remedy: string): string => `${asSentence(message)} ${remedy}`

/** The text with a full stop, unless it ends in a mark of its own. */
export const asSentence = (text: string): string => (/[.!?…]$/u.test(text) ? text : `${text}.`)
