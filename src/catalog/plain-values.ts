/**
 * Names that mean a secret to people, beyond those by which texts are masked; in some of the languages in which they are written.
 */
const spoken =
  /(?:^|[-_.])(?:pw|pass|passwort|passcode|kennwort|mot_?de_?passe|contrase(?:n|ñ)a|clave|senha|parola|пароль|pin|otp|totp|jwt|sign(?:ing|er)?|licen[sc]e|login|seed|salt|hook|webhook|access)(?:$|[-_.\d])/i

/** Words, lists and names of regions: no capitals among small letters, and digits only alone at an end. */
const words = /^(?:[a-z]+|[A-Z]+)(?:[ ,;:._-]{1,2}(?:[a-z]+|[A-Z]+|\d{1,2}))*$/
const number = /^[+-]?\d{1,5}(?:\.\d{1,5}){0,3}(?:ms|s|m|h|kb|mb|gb|%)?$/i
const path = /^(?:\.{1,2}|~|[A-Za-z]:)?(?:[\\/][\w .@+-]*)+$/
const origin = /^[a-z]{2,8}:\/\/[A-Za-z\d.-]{1,200}(?::\d{1,5})?\/?$/
const longestWords = 80

/**
 * Whether a value can be copied into another configuration: nothing but settings of a plain form are, since a secret bears any name. A path, an address without one, a small number, words.
 *
 * @param name - of the variable or header
 */
export const isPlainValue = (name: string, value: string): boolean =>
  value === '' ||
  (!spoken.test(name) &&
    ((value.length <= longestWords && words.test(value)) ||
      [number, path, origin].some((form) => form.test(value))))
