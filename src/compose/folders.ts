import { join } from 'node:path'
import { type Config, isAddress } from '../config.ts'
import { packageRoot } from '../package-root.ts'

/** The bundled catalog as hosts and people would write it. */
export const bundledFolder = join(packageRoot, 'catalog')

/** The folder that servers of the bundled catalog are started from. */
export const catalogFolder = join(packageRoot, 'dist', 'bundled')

/** Where files lie that stand beside the store: in its folder, or in the cache where the store is an address. */
export const filesFolder = ({ home, cache }: Config): string => (isAddress(home) ? cache : home)
