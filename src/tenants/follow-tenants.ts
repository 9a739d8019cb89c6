import { stat } from 'node:fs/promises'
import { readTenants, type Tenants } from './tenants-file.ts'

/**
 * The tenants as their file has them at each call: it is read again when it changed.
 *
 * @returns a function that throws TenantsError while the file cannot be read: then nobody is served by what it said before
 */
export function followTenants(file: string): () => Promise<Tenants> {
  let known: { readonly mark: string; readonly tenants: Tenants } | undefined
  return async () => {
    const mark = await stat(file, { bigint: true }).then(
      ({ mtimeNs, size, ino }) => `${mtimeNs} ${size} ${ino}`,
      () => undefined,
    )
    if (mark === undefined || known?.mark !== mark) known = undefined
    if (known !== undefined) return known.tenants
    const tenants = await readTenants(file)
    if (mark !== undefined) known = { mark, tenants }
    return tenants
  }
}
