/** Small letters, digits and dashes: nothing that two systems read in two ways, and no path. */
const plainName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Names that Windows takes for devices, in any folder. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/**
 * Whether a value is the name of a tenant: 1 to 63 small letters, digits and dashes, no dash at either end. Capitals are no other way to
 * write it: where names are folded, two that a login tells apart would be one.
 */
export const isTenantName = (name: unknown): name is string =>
  typeof name === 'string' && plainName.test(name) && !device.test(name)

export const tenantNameRule =
  'Write 1 to 63 small letters, digits and dashes, with no dash at either end, such as acme or team-7.'
