import { z } from 'zod'
import type { Card } from '../../../domain/card.ts'
import { isJsonObject } from '../../../domain/json.ts'
import { maskSecrets } from '../../../domain/text/secrets.ts'
import type { QuestionKind, Questions, TaskWriter } from '../../../tasks/ports.ts'
import { aboutFences, cutToTokens, fencedData, randomCode, visibleText } from '../agents/fenced-data.ts'
import { checkedModel, type LanguageModelSettings } from '../models/language-model.ts'
import { objectAmong } from './ask-for-object.ts'
import { askWithin, type WriterSurroundings } from './ask-within.ts'

/** Sets a text off as data, under a label. */
type Fence = (label: string, text: string) => string

/** How one kind of question is put, and how its answer is read. */
type Form<Kind extends QuestionKind> = {
  readonly system: string
  readonly prompt: (asked: Questions[Kind]['asked'], fence: Fence) => string
  readonly schema: z.ZodType<Questions[Kind]['answer'] | null>
}

/** Of a card that is shown, in tokens. */
const mostShown = 400
/** Letters of what is written; more is of no use. */
const longest = 4000

// Services hold an answer to its schema only where this is plain: every field required, and no bounds, which are checked here.
const line = z
  .string()
  .transform((text) => visibleText(text).trim())
  .refine((text) => text.length <= longest)
const someLine = line.refine((text) => text !== '')
const yesOrNo = z.union([z.number(), z.boolean()]).transform((score) => Number(score) >= 0.5)
/** JSON in a text: a schema of any object would be refused. */
const jsonText = z.string().transform((text, context) => {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // said below
  }
  context.addIssue('no JSON object')
  return z.NEVER
})
const written = z
  .object({ task: someLine, arguments: jsonText.nullable(), expect: line.nullable() })
  .transform(({ task, ...more }) => ({
    task,
    ...(more.arguments ? { arguments: more.arguments } : {}),
    ...(more.expect ? { expect: more.expect } : {}),
  }))

const isFive = ({ length }: readonly unknown[]): boolean => length === 5

const taskRules =
  'A task is what a user asks for who does not know which tools or agents exist: concrete, in everyday words, with the values, names and ' +
  'short texts that are needed to do it written out in it. It never names a candidate, and never uses phrases of a card. '
const taskForm =
  'Answer with JSON: {"task": "...", "arguments": the arguments of the call as a JSON text where the target is a tool, else null, "expect": the right ' +
  'answer where it is short and you are sure of it, else null}.'

const forms: { readonly [Kind in QuestionKind]: Form<Kind> } = {
  write: {
    system: `You write tasks by which a search for tools and agents is tested. Write one task that the target can do, and that the others, which are like it, cannot do or do worse.\n${taskRules}\n${taskForm}`,
    prompt: ({ target, others, turn, job }, fence) =>
      [
        ...(job === undefined
          ? []
          : [
              `All of them compete for this job. The task is a part of it, or a case of it, as whoever has the job asks:\n${fence('JOB', job)}`,
            ]),
        `The target:\n${fence('TARGET', shown(target))}`,
        ...others.map((card, at) => `Another, ${at + 1}:\n${fence('OTHER', shown(card))}`),
        turn === 0
          ? 'Write the task.'
          : `${turn} tasks were written for the target before: write one of another sort.`,
      ].join('\n\n'),
    schema: written,
  },
  selfContained: {
    system:
      'You judge whether a task can be done as it stands: all files, texts, data, names and choices that are needed are in it, or are public. ' +
      'What the doer can look up or choose by good sense is not missing.\n' +
      'Answer with JSON: {"score": 1 when it can, else 0, "missing": what is missing, in a few words}.',
    prompt: ({ task }, fence) => fence('TASK', task),
    schema: z
      .object({ score: yesOrNo, missing: line })
      .transform(({ score, missing }) => ({ isSelfContained: score, missing })),
  },
  rewrite: {
    system: `You mend a task by which a search for tools and agents is tested. Keep what it asks for, and take away the fault; invent data where they are missing.\n${taskRules}\n${taskForm}`,
    prompt: ({ target, task, fault }, fence) =>
      `The target:\n${fence('TARGET', shown(target))}\n\nThe task:\n${fence('TASK', task)}\n\nIts fault:\n${fence('FAULT', fault)}`,
    schema: written,
  },
  call: {
    system:
      'You say with which arguments a tool would be called for a task. Answer with JSON: {"arguments": "a JSON text"}.',
    prompt: ({ tool, task }, fence) =>
      `The tool:\n${fence('TOOL', shown(tool))}\n\nThe task:\n${fence('TASK', task)}`,
    schema: z.object({ arguments: jsonText }),
  },
  merge: {
    system:
      'You merge tasks into one request of one person with one story, in everyday words. Everything that the tasks ask for is asked for, ' +
      'with all their values; nothing else is. Answer with JSON: {"task": "..."}.',
    prompt: ({ parts }, fence) =>
      parts.map((part, at) => `Task ${at + 1}:\n${fence('TASK', part)}`).join('\n\n'),
    schema: z.object({ task: someLine }),
  },
  entails: {
    system:
      'You judge entailment: whether somebody who does all that a request asks for has surely done the part, too. ' +
      'Answer with JSON: {"score": 1 when the request entails the part, else 0}.',
    prompt: ({ task, part }, fence) =>
      `The request:\n${fence('REQUEST', task)}\n\nThe part:\n${fence('PART', part)}`,
    schema: z.object({ score: yesOrNo }).transform(({ score }) => ({ isEntailed: score })),
  },
  goal: {
    system:
      'You name the goal behind tasks: one sentence, of a higher level than any of them, that cannot be done as it stands, without their ' +
      'values. Then write five criteria: aspects, different from each other, that a good helper for the goal covers.\n' +
      'Answer with JSON: {"goal": "...", "criteria": ["...", "...", "...", "...", "..."]}.',
    prompt: ({ tasks }, fence) => fence('TASKS', tasks.map((task, at) => `${at + 1}. ${task}`).join('\n')),
    schema: z.object({ goal: someLine, criteria: z.array(someLine).refine(isFive) }),
  },
  meets: {
    system:
      'You say for each of five criteria whether a task asks for it. Answer with JSON: {"scores": [five times 1 or 0, in their order]}.',
    prompt: ({ task, criteria }, fence) =>
      `The task:\n${fence('TASK', task)}\n\nThe criteria:\n${fence('CRITERIA', criteria.map((one, at) => `${at + 1}. ${one}`).join('\n'))}`,
    schema: z
      .object({ scores: z.array(yesOrNo).refine(isFive) })
      .transform(({ scores }) => ({ meets: scores })),
  },
  instruction: {
    system:
      'You write an instruction for a search for tools. It bridges what a task wants and what the targets do, and names none of them, nor ' +
      'their server or product: the area is a field of work in everyday words.\n' +
      'Answer with JSON: {"instruction": "Given a `<name of the area>` task, retrieve tools that <what the targets do> by processing <their ' +
      'inputs> to <their output>."}.',
    prompt: ({ task, targets, fault }, fence) =>
      [
        `The task:\n${fence('TASK', task)}`,
        ...targets.map((card) => fence('TARGET', shown(card))),
        ...(fault === undefined
          ? []
          : [`The fault of the one that was written before:\n${fence('FAULT', fault)}`]),
      ].join('\n\n'),
    schema: z.object({ instruction: someLine }),
  },
}

/**
 * Has the configured model write and judge tasks. Cards, and what was written before, are fenced as data.
 *
 * @throws LanguageModelError at once when the setting names no model
 */
export function taskWriter(
  settings: LanguageModelSettings,
  { costOf, makeCode = randomCode, ...way }: WriterSurroundings,
): TaskWriter {
  const { baseUrl } = checkedModel(settings)
  return {
    name: settings.spec,
    host: new URL(baseUrl).host,
    costOf,
    ask(kind, asked, caller) {
      const { system, prompt, schema } = forms[kind]
      const code = makeCode()
      const fence: Fence = (label, text) => fencedData(label, maskSecrets(text), code)
      const question = {
        system: `${system}\n${aboutFences(code)}`,
        prompt: prompt(asked, fence),
        schema,
        read: (text: string) => objectAmong(text, z.preprocess(completed, schema)),
      }
      return askWithin(settings, question, { ...way, caller })
    },
  }
}

/** Models whose answers nothing holds to the schema leave out what they have nothing for, and write arguments as they are. */
function completed(answer: unknown): unknown {
  if (!isJsonObject(answer)) return answer
  const { arguments: given = null } = answer
  return {
    expect: null,
    missing: '',
    ...answer,
    arguments: isJsonObject(given) ? JSON.stringify(given) : given,
  }
}

/** What the model may know of a card. */
function shown(card: Card): string {
  const parts = card.kind === 'tool' ? card.parameters : card.tools
  const lines = [
    `${card.kind}: ${card.title ?? card.name}`,
    card.description,
    ...card.examples.slice(0, 3).map((example) => `example: ${example}`),
    ...parts.slice(0, 20).map(({ name, description }) => `${name}: ${description ?? ''}`),
  ]
  return cutToTokens(lines.join('\n'), mostShown).text
}
