import { capitalised } from '../unseen/phrasing.ts'
import {
  field,
  heading,
  inner,
  listed,
  parameter,
  parametersOf,
  sequence,
  typeName,
} from './by-others-wording.ts'
import type { CardWriter } from './card-writer.ts'

/** Reference text as generators write it from code. */
export const referenceByOthers: readonly CardWriter[] = [
  {
    name: 'operation of an interface',
    describes: 'An OpenAPI operation with path, summary, body and responses.',
    write: ({ what, orders, words, name }) => ({
      name: `post_${name}`,
      description: `POST /v1/${words.slice(0, 3).map(field).join('/')} – ${capitalised(inner(what))}`,
      documentation: [
        `operationId: ${name}`,
        `summary: ${heading(what)}`,
        `description: ${orders.map(inner).join('; ')}`,
        `responses:`,
        `  200: ${listed(words.slice(0, 4))} found`,
        `  404: no ${words[0]} matched`,
        `  429: too many requests`,
      ].join('\n'),
      parameters: parametersOf(words, (word) => `Filter by ${word}.`),
      tags: words.slice(0, 2),
    }),
  },
  {
    name: 'signature of a function',
    describes: 'A Python signature with a docstring of arguments and return value.',
    write: ({ what, words, name }) => ({
      name,
      description: [
        `${name}(${words
          .slice(0, 5)
          .map((word) => `${field(word)}: str`)
          .join(', ')}) -> dict`,
        `${capitalised(inner(what))}.`,
        `Args:`,
        ...words.slice(0, 5).map((word) => `    ${field(word)}: The ${word} given by the user.`),
        `Returns:`,
        `    A dict with one entry for each of ${listed(words.slice(0, 5))}.`,
      ].join('\n'),
      parameters: parametersOf(words, (word) => `The ${word} given by the user.`, 5),
    }),
  },
  {
    name: 'words in parameters alone',
    describes: 'A neutral description; everything the request asks for stands in the parameters.',
    write: ({ what, orders, words, name }) => ({
      name: `${name}_call`,
      description: `Performs the operation described by its arguments and returns the result.`,
      parameters: [
        parameter('instruction', `What to do, e.g. ${inner(what)}.`),
        ...orders.map((order, place) => parameter(`step_${place + 1}`, capitalised(inner(order)), false)),
        ...parametersOf(
          words,
          (word) => `Name or id of the ${word}; leave out to use the ${word} of the request.`,
        ),
      ],
    }),
  },
  {
    name: 'help of a command',
    describes: 'The output of --help, with one option for each word.',
    write: ({ what, words, name }) => ({
      name: `${name}_cli`,
      description: [
        `usage: ${name.replaceAll('_', '-')} [options] TEXT`,
        `${capitalised(inner(what))}.`,
        `options:`,
        ...words.slice(0, 6).map((word) => `  --${field(word).replaceAll('_', '-')} VALUE   ${word} to use`),
        `  --json   print JSON`,
        `  -h, --help   show this help`,
      ].join('\n'),
    }),
  },
  {
    name: 'manual page',
    describes: 'A manual page in its classic sections, long and dry.',
    write: ({ what, orders, words, name }) => ({
      name,
      description: `${name}(1) – ${inner(what)}`,
      documentation: [
        `SYNOPSIS\n${name} [-q] ${words
          .slice(0, 3)
          .map((word) => `<${field(word)}>`)
          .join(' ')}`,
        `DESCRIPTION\nThe ${name} utility is used to ${sequence(orders)}. It reads its operands from the call and writes one record per line. If no operand is given, the request text is taken. The order of operands is not significant.`,
        `OPERANDS\n${words
          .slice(0, 8)
          .map((word) => `${word}: the ${word} as the source names it.`)
          .join('\n')}`,
        `EXIT STATUS\n0 if all of ${listed(words.slice(0, 3))} were handled, 1 if some were not, 2 on a usage error.`,
        `EXAMPLES\n${what}`,
        `NOTES\nRecords are written as soon as they are known, so the first ones may come before the last source has answered. Use -q to wait for all of them. Text is UTF-8 throughout; other encodings are refused with status 2.`,
        `SEE ALSO\njq(1), curl(1)`,
      ].join('\n\n'),
    }),
  },
  {
    name: 'aliases',
    describes: 'A list of other names under which the same function can be called.',
    write: ({ words, name }) => {
      const [first, second = first, third = second] = words.map(field)
      return {
        name,
        description: `${words.slice(0, 6).join(' ')}. Aliases: get_${first}, find_${first}_${second}, ${second}_${first}, ${first}_${third}_lookup, ${third}_${second}_service.`,
        tags: words.slice(0, 8),
      }
    },
  },
  {
    name: 'table of capabilities',
    describes:
      'A table of capabilities in which all that is asked for is ticked, and two other things are not.',
    write: ({ orders, words, name }) => ({
      name,
      description: [
        `| Capability | Supported |`,
        `|---|---|`,
        ...orders.map((order) => `| ${capitalised(inner(order))} | yes |`),
        ...words.slice(0, 5).map((word) => `| ${capitalised(word)} | yes |`),
        `| Bulk upload | planned |`,
        `| Offline use | no |`,
      ].join('\n'),
    }),
  },
  {
    name: 'package metadata',
    describes: 'Name, summary, keywords and topics as a package registry shows them.',
    write: ({ what, words, name }) => ({
      name: `mcp_${name}`,
      description: `Summary: ${heading(what)}. Keywords: ${words.join(', ')}. Topic: ${words.slice(0, 2).map(capitalised).join(' :: ')}. Status: stable. Python >= 3.10.`,
      tags: words,
    }),
  },
  {
    name: 'service definition',
    describes: 'A protobuf service whose comments say what the request says.',
    write: ({ what, orders, words, name }) => ({
      name: `${name}_rpc`,
      description: `// ${capitalised(inner(what))}.\nrpc ${typeName(name)}(${typeName(name)}Request) returns (${typeName(name)}Response);`,
      documentation: [
        `message ${typeName(name)}Request {`,
        ...words
          .slice(0, 6)
          .map((word, place) => `  string ${field(word)} = ${place + 1}; // ${word} to handle`),
        `}`,
        `message ${typeName(name)}Response {`,
        ...orders.map(
          (order, place) => `  Result part_${place + 1} = ${place + 1}; // outcome of: ${inner(order)}`,
        ),
        `}`,
      ].join('\n'),
    }),
  },
  {
    name: 'shape of the answer',
    describes: 'Says little of what it does and much of what it returns.',
    write: ({ what, words, name }) => ({
      name,
      description: `Returns the answer to "${what}" as an object: { ${words
        .slice(0, 7)
        .map((word) => `"${field(word)}": string`)
        .join(', ')}, "updated_at": string }. Each field carries its source. Empty fields are left out.`,
    }),
  },
  {
    name: 'catalogue of errors',
    describes: 'The words of the request stand in the error messages that the tool can give.',
    write: ({ orders, words, name }) => ({
      name,
      description: `${capitalised(inner(orders[0]!))}. Errors are listed below and are safe to show to users.`,
      documentation: [
        ...words
          .slice(0, 6)
          .map((word) => `${field(word).toUpperCase()}_NOT_FOUND: the ${word} you asked for does not exist.`),
        ...orders.map(
          (order, place) => `E10${place + 1}: could not ${inner(order)} because the source was busy.`,
        ),
      ].join('\n'),
    }),
  },
  {
    name: 'log of a session',
    describes: 'A recorded session in which a user asks and the tool is called and delivers.',
    write: ({ what, orders, words, name }) => ({
      name,
      description: `Handles ${listed(words.slice(0, 4))}. Sample session below.`,
      documentation: `user: ${what}\nassistant: I will use ${name} for that.\n-> ${name}({"text": "${inner(orders[0]!)}"})\n<- {"ok": true, "${field(words[0]!)}": "..."}\nassistant: Done. Here is what I found.\nuser: thanks, that is what I needed.`,
      examples: [what],
    }),
  },
  {
    name: 'one line',
    describes: 'No more than the order itself, under a name made of its words.',
    write: ({ orders, words, name }) => ({
      name: `${name}_${field(words.at(-1)!)}`,
      description: `${capitalised(sequence(orders))}.`,
    }),
  },
]
