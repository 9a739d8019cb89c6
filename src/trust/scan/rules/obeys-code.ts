import type { PhraseRule } from '../phrases/phrase-rule.ts'

const decode =
  'decode|unescape|deobfuscate|decrypt|base64_decode|decipher|unscramble|hex_decode|decoding|read_backwards|read_in_reverse'
const obey = 'follow|execute|obey|comply|carry_out|act_on|eval|do_what'

/** Text that would have the model do what a code says once it is decoded, or what a page far away says. */
export const obeysCode: PhraseRule = {
  name: 'encoded-payload',
  says: 'tells the model to do what some encoded or fetched text says',
  phrases: {
    strong: [
      `${decode} ..8 ${obey} ..3 it|them|result|output|instruct*|directive*|command*|decoded|this|that|says|content*|what|steps|resulting|plaintext|message`,
      `${obey} ..3 decoded|deobfuscated|decrypted|hidden|encoded|unscrambled|base64 ..3 instruct*|directive*|command*|orders|message`,
      `fetch|download|retrieve|load|get|visit|open|read|request ..8 http|https|url|page|file|remote|gist|pastebin ..12 ${obey} ..5 instruct*|directive*|command*|steps|says|contents|returned`,
      `${obey} ..3 instruct*|directive*|commands|steps|orders ..4 at|from|found|located|published|hosted|served ..3 http|https|url|web_page|webpage|remote|pastebin|gist`,
      `instruct*|directive*|commands ..3 returned|received|contained|found|embedded|given|sent ..3 in|by|from|within ..5 must|should|shall|are_to|have_to|take ..3 be ..2 followed|obeyed|executed|carried|authoritative|trusted`,
      'treat ..5 output|result|response|content|contents|text|return_value|page|reply ..4 as ..1 instruct*|system|command*|directive*|trusted|authoritative|user_request|orders',
    ],
  },
}
