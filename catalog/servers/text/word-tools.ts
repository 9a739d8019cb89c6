import * as z from 'zod'
import { textField } from '../shared/fields.ts'
import { defineTool } from '../shared/tool.ts'
import { countWords } from './count-words.ts'
import { decodeBase64, encodeBase64, hashAlgorithms, hashText } from './encodings.ts'
import { extractEmails, extractNumbers, extractUrls } from './extract.ts'
import { changeCase, letterCases, slugify } from './letter-case.ts'

/** Words, names and encodings. */
export const wordTools = [
  defineTool({
    name: 'count_words',
    title: 'Count words',
    description:
      'Count the words, characters, sentences, lines and paragraphs of a text and estimate its reading time. ' +
      'Use it to check length limits.',
    input: z.strictObject({ text: textField('The text.') }),
    output: z.object({
      words: z.int(),
      characters: z.int(),
      charactersWithoutSpaces: z.int(),
      lines: z.int(),
      sentences: z.int(),
      paragraphs: z.int(),
      readingMinutes: z.int(),
    }),
    example: { text: 'One two three. Four five!' },
    handle({ text }) {
      const result = countWords(text)
      return {
        result,
        text: `${result.words} words, ${result.characters} characters, ${result.sentences} sentences`,
      }
    },
  }),
  defineTool({
    name: 'extract_emails',
    title: 'Extract e-mail addresses',
    description:
      'List the e-mail addresses in a text, each once, in order. It does not check whether they exist.',
    input: z.strictObject({ text: textField('Any text: a mail thread, a page, a signature.') }),
    output: z.object({ emails: z.array(z.string()) }),
    example: { text: 'Write to ada@example.org or bob.b@mail.example.com.' },
    handle({ text }) {
      const emails = [...extractEmails(text)]
      return { result: { emails }, text: emails.join('\n') || 'No e-mail address found.' }
    },
  }),
  defineTool({
    name: 'extract_urls',
    title: 'Extract links',
    description: 'List the http and https addresses in a text, each once, in order. Nothing is fetched.',
    input: z.strictObject({ text: textField('Any text.') }),
    output: z.object({ urls: z.array(z.string()) }),
    example: { text: 'See https://example.org/a (and http://example.com).' },
    handle({ text }) {
      const urls = [...extractUrls(text)]
      return { result: { urls }, text: urls.join('\n') || 'No link found.' }
    },
  }),
  defineTool({
    name: 'extract_numbers',
    title: 'Extract numbers',
    description:
      'List the numbers in a text in order, with commas read as thousands separators and the point as decimal. ' +
      'Use it before adding up amounts from prose.',
    input: z.strictObject({ text: textField('Any text.') }),
    output: z.object({ numbers: z.array(z.number()) }),
    example: { text: 'Rent 1,250.50, power 80, refund -15.' },
    handle({ text }) {
      const numbers = [...extractNumbers(text)]
      return { result: { numbers }, text: numbers.join(', ') || 'No number found.' }
    },
  }),
  defineTool({
    name: 'slugify',
    title: 'Slug for a web address',
    description: 'Turn a title into a short name for a web address or file: lower case, hyphens, no accents.',
    input: z.strictObject({
      text: z.string().max(2000).describe('The title.'),
      maxLength: z.int().min(1).max(200).default(80).describe('Longest slug; cut at a word where possible.'),
    }),
    output: z.object({ slug: z.string().describe('Empty when no letter or digit could be kept.') }),
    example: { text: 'Crème brûlée & Co: 10 Tips!' },
    handle({ text, maxLength }) {
      const slug = slugify(text, maxLength)
      return { result: { slug }, text: slug || 'Nothing of this text can stand in a slug.' }
    },
  }),
  defineTool({
    name: 'change_case',
    title: 'Change letter case',
    description:
      'Rewrite a text in lower, UPPER, Title or Sentence case, or as a name in camel, pascal, snake, kebab or CONSTANT case.',
    input: z.strictObject({ text: textField('The text or name.'), to: z.enum(letterCases) }),
    output: z.object({ text: z.string() }),
    example: { text: 'parseHTTPResponse v2', to: 'snake' },
    handle({ text, to }) {
      const changed = changeCase(text, to)
      return { result: { text: changed }, text: changed }
    },
  }),
  defineTool({
    name: 'encode_base64',
    title: 'Encode Base64',
    description: 'Encode a text (as UTF-8) in Base64, in the standard or the URL-safe alphabet.',
    input: z.strictObject({
      text: textField('The text.'),
      alphabet: z.enum(['standard', 'url']).default('standard'),
    }),
    output: z.object({ encoded: z.string() }),
    example: { text: 'hello' },
    handle({ text, alphabet }) {
      const encoded = encodeBase64(text, alphabet)
      return { result: { encoded }, text: encoded }
    },
  }),
  defineTool({
    name: 'decode_base64',
    title: 'Decode Base64',
    description:
      'Decode a Base64 text, standard or URL-safe, back into plain text. Not for images or other files.',
    input: z.strictObject({ encoded: textField('Base64, line breaks allowed.') }),
    output: z.object({ text: z.string() }),
    example: { encoded: 'aGVsbG8=' },
    handle({ encoded }) {
      const text = decodeBase64(encoded)
      return { result: { text }, text }
    },
  }),
  defineTool({
    name: 'hash_text',
    title: 'Hash a text',
    description:
      'Calculate the checksum of a text (MD5, SHA-1, SHA-256, SHA-384, SHA-512) to compare texts or verify a download note.',
    input: z.strictObject({
      text: textField('The text, hashed as UTF-8.'),
      algorithm: z.enum(hashAlgorithms).default('sha256'),
    }),
    output: z.object({ hash: z.string().describe('Hexadecimal.') }),
    example: { text: 'hello', algorithm: 'sha256' },
    handle({ text, algorithm }) {
      const hash = hashText(text, algorithm)
      return { result: { hash }, text: `${algorithm}: ${hash}` }
    },
  }),
]
