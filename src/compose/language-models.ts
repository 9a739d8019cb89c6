import { type Config, modelOfVariable, withOthers } from '../config.ts'
import type { Settings } from '../probing/settings/settings.ts'

/** The language models of the environment, then those of the settings file, each once; null when neither names one. */
export function languageModelWith(
  { languageModel, environment }: Config,
  { models }: Pick<Settings, 'models'>,
): Config['languageModel'] {
  const { others = [], ...first } = languageModel ?? {}
  const ofEnvironment = 'spec' in first ? [first, ...others] : others
  const known = new Set(ofEnvironment.map(({ spec }) => spec))
  const ofSettings = models
    .filter(({ model }) => !known.has(model))
    .map(({ model, key }) => (key === undefined ? { spec: model } : modelOfVariable(model, key, environment)))
  return withOthers([...ofEnvironment, ...ofSettings])
}

/** The same, with the settings as they are now. @throws SettingsError */
export async function languageModelOf(config: Config): Promise<Config['languageModel']> {
  const { readSettings } = await import('../probing/settings/settings-file.ts')
  return languageModelWith(config, await readSettings(config.settings))
}
