import { capitalised } from '../unseen/phrasing.ts'
import { named } from '../turns.ts'
import type { CardWriter } from './card-writer.ts'

const list = (words: readonly string[], most = 8): string => words.slice(0, most).join(', ')

const parametersOf = (words: readonly string[], most: number) =>
  [...new Set(words.slice(-most).map((word) => named([word], 'value')))].map((name) => ({
    name,
    description: `The ${name.replaceAll('_', ' ')} that the call is about`,
    type: 'string',
    required: true,
  }))

/** The request as documentation of a function, in forms in which functions are documented in public. */
export const documentationForms: readonly CardWriter[] = [
  {
    name: 'docstring',
    describes: 'a docstring with arguments, returned value and errors',
    write: ({ what, words, name }) => ({
      name,
      description: `${capitalised(what)}.\n\nArgs:\n${words.map((word) => `    ${named([word], 'value')} (str): The ${word}.`).join('\n')}\n\nReturns:\n    dict: The result of the call.\n\nRaises:\n    ValueError: If an argument is not valid.`,
      parameters: parametersOf(words, 3),
    }),
  },
  {
    name: 'man page',
    describes: 'a page of a manual: name, synopsis, description, options',
    write: ({ what, words, name }) => ({
      name,
      description: `NAME\n  ${name} - ${what}\nSYNOPSIS\n  ${name} ${words.map((word) => `[--${named([word], 'value')}]`).join(' ')}\nDESCRIPTION\n  ${capitalised(what)}. Exit status is 0 on success.`,
    }),
  },
  {
    name: 'operation',
    describes: 'an operation of an API, its summary and the answers by status',
    write: ({ what, words, name }) => ({
      name: `post_${name}`,
      description: `${capitalised(what)}. Accepts ${list(words)} in the body of the request. 200: the result. 400: a field is missing. 404: nothing was found.`,
      parameters: parametersOf(words, 4),
      tags: words.slice(0, 3),
    }),
  },
  {
    name: 'endpoint list',
    describes: 'one line as marketplaces of APIs list endpoints',
    write: ({ what, words, name }) => ({
      name: `${name}_for_${named(words.slice(-2), 'api')}`,
      description: `This endpoint allows you to ${what}.`,
      parameters: parametersOf(words, 2),
    }),
  },
  {
    name: 'useful for',
    describes: 'as agent frameworks ask authors to write: useful for when you need to',
    write: ({ what, words, name }) => ({
      name,
      description: `Useful for when you need to ${what}. Input should be the ${list(words, 4)}. Output is a short text.`,
    }),
  },
  {
    name: 'skill',
    describes: 'a skill with the occasions on which to take it',
    write: ({ what, orders, words, name }) => ({
      name: name.replaceAll('_', '-'),
      description: `${capitalised(what)}. Use when the user mentions ${list(words, 6)}, or wants to ${orders.map((order) => order.toLowerCase()).join('; or to ')}.`,
    }),
  },
  {
    name: 'class reference',
    describes: 'a method of a class with a note since which version it is there',
    write: ({ what, words, name }) => ({
      name: `${capitalised(named(words.slice(0, 1), 'task'))}Service.${name}`,
      description: `${capitalised(what)}. Since 2.1. Thread-safe. See also: ${words
        .slice(0, 3)
        .map((word) => `${capitalised(named([word], 'task'))}Service`)
        .join(', ')}.`,
      parameters: parametersOf(words, 3),
    }),
  },
  {
    name: 'command reference',
    describes: 'a command of a cloud with its options, one sentence each',
    write: ({ what, words, name }) => ({
      name: name.replaceAll('_', '-'),
      description: `${capitalised(what)}. ${words
        .slice(0, 6)
        .map((word) => `--${named([word], 'value').replaceAll('_', '-')}: the ${word} of the resource.`)
        .join(' ')} --output: json, text or table.`,
    }),
  },
  {
    name: 'readme',
    describes: 'a readme: features as a list, and how it is installed',
    write: ({ what, orders, words, name }) => ({
      name,
      description: `A server for ${list(words, 5)}.\n\n## Features\n${orders.map((order) => `- ${order}`).join('\n')}\n- ${capitalised(what)}\n\n## Install\nAdd it to the configuration of your client.`,
    }),
  },
  {
    name: 'typed schema',
    describes: 'a plain sentence and a schema that says the request part by part',
    write: ({ what, orders, words, name }) => ({
      name,
      description: `${capitalised(list(words, 5))}: ${what}.`,
      parameters: orders.slice(0, 5).map((order, at) => ({
        name: `step_${at + 1}`,
        description: order,
        type: 'string',
        required: at === 0,
      })),
    }),
  },
]
