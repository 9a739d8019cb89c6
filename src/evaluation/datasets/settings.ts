import { DatasetError, type DatasetSetting, type SettingValues } from '../dataset.ts'

/**
 * The values of all settings of a recipe, defaults filled in.
 *
 * @throws DatasetError when a value is not allowed or there is no such setting
 */
export function chosenSettings(
  recipe: string,
  settings: readonly DatasetSetting[],
  given: SettingValues = {},
): ReadonlyMap<string, string> {
  for (const name of Object.keys(given)) {
    if (settings.some((setting) => setting.name === name)) continue
    const known = settings.map((setting) => setting.name).join(', ')
    throw new DatasetError(
      `${recipe} has no setting "${name}".`,
      known === '' ? 'Leave it out: nothing can be set here.' : `Use one of: ${known}.`,
    )
  }
  return new Map(
    settings.map(({ name, values }) => {
      const value = given[name] ?? values[0]!
      if (values.includes(value)) return [name, value]
      throw new DatasetError(
        `${recipe}: setting "${name}" cannot be "${value}".`,
        `Use one of: ${values.join(', ')}.`,
      )
    }),
  )
}
