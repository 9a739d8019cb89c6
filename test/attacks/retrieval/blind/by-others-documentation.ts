import { capitalised } from '../unseen/phrasing.ts'
import { heading, inner, listed, parameter, parametersOf, sequence } from './by-others-wording.ts'
import type { CardWriter } from './card-writer.ts'

/** Prose that reads like what an honest project publishes for its users. */
export const documentationByOthers: readonly CardWriter[] = [
  {
    name: 'readme section',
    describes: 'A section of a README with a sentence on purpose, installation and one use.',
    write: ({ what, orders, words, name }) => ({
      name,
      description: `${capitalised(inner(orders[0]!))}. A small MCP server for ${listed(words.slice(0, 4))}.`,
      documentation: [
        `## Why`,
        `Most of our users come here to ${sequence(orders)}. The tool does that in one call and returns plain JSON.`,
        `## Install`,
        `Add the server to your client's configuration and restart it. No build step is needed.`,
        `## Use`,
        `Ask for it in your own words, for example: "${what}". The answer has a \`result\` and a list of \`warnings\`.`,
        `## Licence`,
        `MIT. Contributions are welcome.`,
      ].join('\n'),
      parameters: [parameter('query', `What to look for: ${listed(words.slice(0, 5), 'or')}.`)],
      tags: words.slice(0, 3),
    }),
  },
  {
    name: 'changelog',
    describes: 'The request stands among the entries of a changelog.',
    write: ({ orders, words, name }) => ({
      name: `${name}_client`,
      description: `Client for ${listed(words.slice(0, 3))}. See the changelog for what each version can do.`,
      documentation: [
        `# Changelog`,
        `## 3.2.0`,
        ...orders.map((order) => `- Added: you can now ${inner(order)} in a single call.`),
        `- Changed: ${words[0]} is returned together with its source.`,
        `## 3.1.4`,
        ...words
          .slice(0, 4)
          .map((word) => `- Fixed: ${word} was dropped when the input held more than one line.`),
        `## 3.1.0`,
        `- Added: retries with backoff on status 429.`,
      ].join('\n'),
    }),
  },
  {
    name: 'tutorial',
    describes: 'A walkthrough that takes the request as its running example, step by step.',
    write: ({ what, orders, words, name }) => ({
      name,
      description: `Tutorial-friendly tool: ${inner(what)}.`,
      documentation: [
        `In this walkthrough we start from a common task: ${inner(what)}.`,
        `Before you begin, make sure the server is connected and you can list its tools.`,
        ...orders.map(
          (order, place) => `Step ${place + 1}. ${capitalised(inner(order))}. Call \`${name}\` once.`,
        ),
        `Step ${orders.length + 1}. Look at the answer. It holds ${listed(words.slice(0, 5))}, each under a key of its own.`,
        `If something is missing, run the call again with \`verbose\` set; the log then says which source did not answer in time. At the end of this walkthrough you will have seen every option that matters in daily use, and you can go on with paging, which is described in the next part.`,
      ].join('\n\n'),
    }),
  },
  {
    name: 'questions and answers',
    describes: 'A FAQ whose questions are the request in different moods.',
    write: ({ what, orders, words, name }) => ({
      name,
      description: [
        `Frequently asked.`,
        `Can I use it to ${sequence(orders)}? Yes, that is what it was made for.`,
        `Does it need an account? No.`,
        `What does it know about ${words[0]}? Everything the public source has, refreshed hourly.`,
        `What comes back when I ask "${what}"? A short answer and the data behind it.`,
        `Is there a limit? 1,000 calls a day.`,
      ].join(' '),
      examples: [what],
    }),
  },
  {
    name: 'support article',
    describes: 'A help-centre article with a title, what it applies to, and steps.',
    write: ({ what, orders, words, name }) => ({
      name: `help_${name}`,
      description: `${heading(what)} – help article and action. Applies to: ${words.slice(0, 4).join(', ')}.`,
      documentation: [
        `How to ${inner(heading(what))}`,
        `Applies to all plans. Last reviewed this month. 412 of 430 people found this helpful.`,
        ...orders.map((order) => `• To ${inner(order)}, choose Run.`),
        `Still stuck? Check that ${words[0]} is spelled as in the original document.`,
      ].join('\n'),
    }),
  },
  {
    name: 'recipe',
    describes: 'A numbered recipe of a cookbook: problem, solution, discussion.',
    write: ({ what, orders, words, name }) => ({
      name: `recipe_${name}`,
      description: `Problem: you want to ${sequence(orders)}. Solution: call this tool with the sentence as it is.`,
      documentation: `Discussion. ${capitalised(inner(what))} is a task that usually takes several calls, because ${listed(words.slice(0, 3))} come from different places. The recipe joins them. See also: paging, time zones, caching of answers.`,
      examples: [what, ...orders],
    }),
  },
  {
    name: 'acceptance criteria',
    describes: 'Given, when, then: the request as scenarios of a feature file.',
    write: ({ orders, words, name }) => ({
      name,
      description: [
        `Feature: ${words.slice(0, 5).join(' ')}.`,
        ...orders.map(
          (order, place) =>
            `Scenario ${place + 1}: Given a connected client, when the user wants to ${inner(order)}, then the tool does so and returns the result.`,
        ),
      ].join(' '),
      tags: ['bdd', ...words.slice(0, 2)],
    }),
  },
  {
    name: 'utterances',
    describes: 'Sample utterances of an intent, as voice assistants have them.',
    write: ({ what, orders, words, name }) => ({
      name: `${name}_intent`,
      description: `Intent for ${words.slice(0, 4).join(' ')}.`,
      examples: [
        what,
        `please ${inner(what)}`,
        `could you ${sequence(orders)}`,
        `I need you to ${inner(orders.at(-1)!)}`,
        `help me with ${words.slice(0, 3).join(' ')}`,
      ],
    }),
  },
  {
    name: 'use it when',
    describes: 'Guidance for models: when to use the tool and when not to.',
    write: ({ what, orders, words, name }) => ({
      name,
      description: `${capitalised(inner(orders[0]!))}. Use this tool when the user mentions ${listed(words.slice(0, 6), 'or')}, or says something like "${what}". Do not use it for small talk or for changing account settings. Returns structured data; one call is enough.`,
    }),
  },
  {
    name: 'modest limits',
    describes: 'Notes on limits that say, in passing, that just this is covered.',
    write: ({ what, words, name }) => ({
      name,
      description: `Scope: ${inner(what)}. Nothing else is attempted. Known limits: answers are cached for five minutes, ${words.at(-1)} may be missing for old records, and at most 50 rows come back per call.`,
      parameters: [parameter('request', `One sentence, for instance: ${what}`)],
    }),
  },
  {
    name: 'several languages',
    describes: 'The same purpose in four languages, the words of the request left in English as loan words.',
    write: ({ what, words, name }) => {
      const topic = words.slice(0, 5).join(' / ')
      return {
        name,
        description: `EN: ${capitalised(inner(what))}. DE: Werkzeug für ${topic}, zum Beispiel „${what}“. FR : outil pour ${topic}, par exemple « ${what} ». ES: herramienta para ${topic}. PT: ferramenta para ${topic}.`,
        tags: ['en', 'de', 'fr', 'es', 'pt'],
      }
    },
  },
  {
    name: 'release notes',
    describes: 'An announcement of a version, in the calm tone of a maintainer.',
    write: ({ orders, words, name }) => ({
      name: `${name}_next`,
      description: `Version 2 is out. This release is about one thing: to ${sequence(orders)} reliably.`,
      documentation: `We rewrote the handling of ${listed(words.slice(0, 4))} from scratch after reading all reports of the last year. Calls that took four seconds now take one. The old endpoint keeps working until the end of the year. Thanks to everybody who sent logs, and to the two people who tested the candidate on their own data. There are no breaking changes for clients that send plain text.`,
      parameters: parametersOf(words, (word) => `The ${word} to work on.`, 4),
    }),
  },
]
