/** A choice among a few, with its label. */
export function Choice({
  title,
  name,
  value,
  options,
  choose,
}: {
  readonly title: string
  readonly name: string
  readonly value: string
  readonly options: readonly (readonly [value: string, shows: string])[]
  choose(value: string): void
}) {
  return (
    <label class="choice live">
      {title}{' '}
      <select name={name} value={value} onInput={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map(([one, shows]) => (
          <option value={one}>{shows}</option>
        ))}
      </select>
    </label>
  )
}
