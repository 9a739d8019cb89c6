import { type DatasetSetting, SettingError, type SettingValues } from './dataset.ts'

/**
 * The values of all settings of a dataset, defaults filled in.
 *
 * @param dataset - its name, for the message
 * @throws SettingError when a value is not allowed or there is no such setting
 */
export function chosenSettings(
  dataset: string,
  settings: readonly DatasetSetting[],
  given: SettingValues = {},
): ReadonlyMap<string, string> {
  for (const name of Object.keys(given)) {
    if (settings.some((setting) => setting.name === name)) continue
    const known = settings.map((setting) => setting.name).join(', ')
    throw new SettingError(
      `${dataset} has no setting "${name}".`,
      known === '' ? 'Leave it out: it takes none.' : `Use one of: ${known}.`,
    )
  }
  return new Map(
    settings.map(({ name, values }) => {
      const value = given[name] ?? values[0]!
      if (values.includes(value)) return [name, value]
      throw new SettingError(
        `${dataset}: setting "${name}" cannot be "${value}".`,
        `Use one of: ${values.join(', ')}.`,
      )
    }),
  )
}
