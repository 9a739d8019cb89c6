import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { load } from 'js-yaml'
import * as z from 'zod'

const line = z.string().min(1).max(200)
const launch = z.strictObject({
  command: line,
  args: z.array(line),
  env: z
    .record(z.string(), z.string().regex(/^\$\{[A-Z_]+\}$/, 'secrets and settings are named, not written'))
    .optional(),
})

/** The format of a bundled profile, stricter than what the reader accepts. */
const profileFormat = z.strictObject({
  profile: z.literal('audition/v1'),
  name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)+$/),
  title: line.optional(),
  description: z.string().min(60).max(420),
  tags: z.array(z.string().min(2).max(30)).min(2).max(8),
  examples: z.array(line).min(3).max(8),
  backbone: z
    .strictObject({ name: line, id: z.string().regex(/^[a-z]+\/[A-Za-z0-9.-]+$/), description: line })
    .nullish(),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z][a-z0-9_]+$/),
        description: line,
        server: line.optional(),
      }),
    )
    .optional(),
  servers: z.record(z.string(), launch).optional(),
  run: launch.optional(),
  policy: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  instructions: z.string().optional(),
})

export type Profile = z.infer<typeof profileFormat>

/** A profile as its file has it. */
export type ProfileFile = { readonly file: string; readonly text: string; read(): Profile }

/** All YAML files of a folder, in order. */
export const profilesIn = (folder: string): readonly ProfileFile[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return { file: basename(name, '.yaml'), text, read: () => profileFormat.parse(load(text)) }
    })
