import { readFileSync } from 'node:fs'

/**
 * Reads JSON that lies beside the code that asks for it. Import its type from the file: so the compiler checks what it holds, and copies
 * it to where the code goes.
 *
 * @param file - `new URL('./name.json', import.meta.url)`
 */
export const readData = <Data>(file: URL): Data => JSON.parse(readFileSync(file, 'utf8')) as Data
